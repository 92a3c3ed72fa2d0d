"""What the user asks for, read: arguments of the command line, and configuration files."""
