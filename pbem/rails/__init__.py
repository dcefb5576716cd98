"""What both games have on the table: hexes, printed boards, tiles, track, cubes, and how they are shown."""
