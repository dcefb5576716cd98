"""The values of a letter, put together: what its kind says of itself, and what all letters share."""
