"""Leagues and knock-outs: who takes part, their games, which the clock opens, standings, promotion and relegation."""
