"""What the CMake files of a project say, of which nothing is run."""
