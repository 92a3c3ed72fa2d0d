"""Verdicts, findings and counts held against what was measured."""
