"""Values that pages, emails, feeds and the API are made of; no rows, no templates, and nothing that is hidden from the
viewer."""
