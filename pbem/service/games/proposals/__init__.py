"""What the people of a game can vote on, one declaration each: what it asks, of whom, how many must agree, and what
happens then.

What a vote stores of it is the instance (the column ``proposal``); what is true of all of its kind stands in the class.
The modules of this package are searched for them, so a new kind of vote is a new class (``docs/extending.md``).
"""

from pbem.service.games.proposals.declaration import Proposal, VoteContext, every, of, offered

__all__ = ["Proposal", "VoteContext", "every", "of", "offered"]
