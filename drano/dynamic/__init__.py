"""Programs that are run: built with ``drano cc``, counted on the CPU or a GPU, and reported."""
