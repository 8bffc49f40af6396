"""`python -m pliant` is the command `pliant`, for where scripts are not on the path."""

import sys

from pliant.cli import main

if __name__ == "__main__":
    sys.exit(main())
