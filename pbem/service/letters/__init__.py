"""What letters say: from the row of a letter to the values its templates are given."""
