"""Settings of Sphinx for the site; build.py beside it says how the site is made."""

import os

project = "Seiche"
author = "The Seiche authors"
copyright = author
root_doc = "docs/index"
extensions = ["breathe", "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

myst_enable_extensions = ["tasklist"]
myst_heading_anchors = 5
# Names of C stand in headers of C++ too. A page that is in no table of contents is a fault.
suppress_warnings = ["duplicate_declaration.cpp", "duplicate_declaration.c", "myst.header"]
exclude_patterns = ["docs/site"]

breathe_projects = {"seiche": os.environ["SEICHE_DOXYGEN"]}
breathe_default_project = "seiche"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}

# Signatures are read from the sources; the compiled part of the package need not be built.
autodoc_mock_imports = ["seichefft._native", "seichefft._distributed"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
default_role = "code"

html_theme = "furo"
html_title = "Seiche"
html_copy_source = False
html_show_sphinx = False
html_css_files = ["site.css"]
html_static_path = ["site.css"]
html_last_updated_fmt = None
