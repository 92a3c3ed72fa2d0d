"""Headers that protobuf's compiler makes of a project's ``.proto`` files."""
