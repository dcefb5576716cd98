"""What a letter says: from its row to the values its templates are given."""
