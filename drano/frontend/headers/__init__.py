"""What a unit includes: the project's headers, stand-ins, and what is compiled beforehand."""
