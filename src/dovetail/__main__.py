"""Run the `dovetail` command with `python -m dovetail`."""

import sys

from dovetail.cli.entry import dovetail

sys.exit(dovetail())
