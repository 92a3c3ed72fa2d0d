"""What all parts speak of: places, settings, units, findings, hardware. Frozen data."""
