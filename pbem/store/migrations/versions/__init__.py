"""One module per change; none is edited once it has been released."""
