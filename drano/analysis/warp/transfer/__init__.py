"""What each kind of instruction makes of the values of its operands."""
