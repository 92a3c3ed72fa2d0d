"""Tables, pictures and pages of the results."""
