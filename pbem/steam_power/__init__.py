"""Steam Power: rules as hooks, actions as phases, everything that depends on them."""
