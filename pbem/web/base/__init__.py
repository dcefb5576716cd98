"""What every page stands on: the context of a request, forms, headers, error pages,
times and sentences as pages show them."""
