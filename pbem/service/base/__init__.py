"""What every function of the service stands on: the office, reading rows, signed links, addresses, limits, errors."""
