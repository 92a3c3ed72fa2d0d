"""The validation harness: drano on Rodinia's CUDA programs, against measurements of them.

``python -m rodinia check | compare-original | score --home DIR``. Modules:

* ``manifest``: what the suite's programs are and how their units are compiled (manifest.toml)
* ``truth``: readers of the ground-truth tables
* ``inputs``, ``references``: what programs are given, and what they should make of it
* ``run``, ``runs_report``: programs on the CPU, counted
* ``counted``: these counts beside the hardware's
* ``analyse``: drano over the units of the manifest, several processes if wanted
* ``lines``: accesses as source lines of the suite, and what we say about each line
* ``check``: the table of programs, units, kernels, accesses, findings, seconds
* ``compare``: our flags beside those of the original pass, line by line
* ``score``: our verdicts against measured sectors, and against the authors' dynamic run
* ``sectors``: predicted against measured sectors of one request
* ``patches``, ``fixed``, ``measure_fixes``: fixes of kernels, and what they are worth
* ``evaluate``, ``table``, ``plots``, ``page``: all of it together
* ``show``: tables of figures, for people and as JSON

Imports ``drano.run.driver`` and drano's data; nothing of drano imports this package.
"""
