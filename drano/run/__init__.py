"""From paths to a report: one unit, or many at a time, in processes or on a cluster."""
