"""`python -m linpoint` is `linpoint`."""

from linpoint.cli import main

main()
