"""Inline PTX of device IR: taken apart, and made instructions."""
