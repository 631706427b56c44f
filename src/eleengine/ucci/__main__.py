"""python -m eleengine.ucci: the engine without the command line around it."""

import sys

from . import main

sys.exit(main(sys.argv[1:]))
