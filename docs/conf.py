"""How Sphinx makes the site: `make docs`. Nothing in it comes from the network, when it is built or when it is read."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(ROOT / "src")]

from pliant import __version__  # noqa: E402

project = "Pliant"
author = "the authors of Pliant"
copyright = "the authors of Pliant, Apache-2.0"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "site_pages"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["site_pages", "**/__pycache__"]
# Warnings are errors (`make docs`), broken links and names that are not there included.
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # types in signatures need not lead anywhere

myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
toc_object_entries_show_parents = "hide"
add_module_names = True

smartquotes = False
highlight_language = "none"
pygments_style = "friendly"

html_theme = "pydata_sphinx_theme"
html_title = "Pliant"
html_logo = html_favicon = str(ROOT / "src/pliant/viewer/icon.svg")
html_static_path = ["site_pages/style.css"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sourcelink = False
html_sidebars = {"index": [], "start": [], "gallery": [], "glossary": []}
html_theme_options = {
    "logo": {"text": "Pliant"},
    "header_links_before_dropdown": 8,
    "navbar_end": ["theme-switcher"],
    "navigation_depth": 3,
    "show_nav_level": 2,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "back_to_top_button": False,
}
