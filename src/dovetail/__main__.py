"""`python -m dovetail` is the `dovetail` command."""

import sys

from dovetail.cli.entry import dovetail

sys.exit(dovetail())
