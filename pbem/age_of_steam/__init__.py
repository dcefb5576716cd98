"""Age of Steam: the base rules as in the Deluxe rulebook; maps bend them through the hooks in ``rules.py``."""
