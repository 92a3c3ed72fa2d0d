"""Device code of several units, put together before it is optimised."""
