"""A recording as the viewport plays it: what is drawn, what moves, and the scripts, in one file or in a notebook."""
