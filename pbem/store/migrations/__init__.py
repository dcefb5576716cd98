"""Every change of the tables, in order; :mod:`pbem.store.upgrade` runs them."""
