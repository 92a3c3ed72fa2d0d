"""The documentation as a site: ``sphinx-build -W --keep-going -n docs .site``."""

project = "drano"
author = "the drano authors"
project_copyright = author
root_doc = "index"
source_suffix = {".md": "markdown"}
exclude_patterns = ["scripts/**"]

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist"]
smartquotes = False  # options stay as they are typed
myst_heading_anchors = 4  # headings have the anchors that GitHub gives them

html_theme = "furo"
html_title = "drano"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
