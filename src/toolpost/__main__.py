"""`python -m toolpost` is `toolpost`."""

from .cli.main import main

raise SystemExit(main())
