"""Compile commands of a project: where they are, and what of nvcc's options parsing needs."""
