"""The command line: the commands, their exit codes, and what only a terminal needs."""
