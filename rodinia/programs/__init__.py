"""The suite's programs: their list, their inputs, and how they are analysed and run."""
