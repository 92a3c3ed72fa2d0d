"""What runs have counted: read, merged, joined with the analysis, and ranked."""
