"""How fast is linpoint? Run `python bench/run.py`; the README beside this file says more."""
