"""How wide a request is where the source's type does not tell: copies, alignment, what is used."""
