"""Where things are: the one place that knows the paths and addresses letters name."""

from collections.abc import Callable
from urllib.parse import quote_plus

from pbem.engine import Value
from pbem.service.base import tokens as claims
from pbem.service.base.tokens import Tokens
from pbem.settings.addresses import with_token


def _page(path: str) -> Callable[["Addresses"], str]:
    return lambda addresses: f"{addresses.root}/{path}"


def _page_about(path: str) -> Callable[["Addresses", str], str]:
    return lambda addresses, what: f"{addresses.root}/{path.format(what)}"


class Addresses(Value):
    """Absolute addresses below ``root`` (``Settings.public_url``), signed where they need to be.

    ``orders``: the mail address for answers (``Settings.orders_address``).
    """

    root: str
    tokens: Tokens
    orders: str = ""

    def turn(self, game: str, seat: str, version: int, order: str = "") -> str:
        """The turn page; with an order, the page that asks to confirm it."""
        query = f"?order={quote_plus(order)}" if order else ""
        return f"{self.root}/t/{self.tokens.make(claims.TurnClaim(game, seat, version))}{query}"

    def plan(self, game: str, seat: str, turn: int, holder: int = 0) -> str:
        """The page of standing orders, for the length of a turn."""
        return f"{self.root}/t/{self.tokens.make(claims.PlanClaim(game, seat, turn, holder))}?plan"

    def seat(self, game: str, number: int, holder: int = 0) -> str:
        """``holder``: of the seat's row; the link is void when the seat changes hands."""
        return f"{self.root}/s/{self.tokens.make(claims.SeatClaim(game, number, holder))}"

    def vote(self, vote: int, number: int, holder: int, answer: str = "") -> str:
        """``answer``: agree or refuse; the page asks to confirm it."""
        query = f"?answer={answer}" if answer else ""
        return f"{self.root}/v/{self.tokens.make(claims.VoteClaim(vote, number, holder))}{query}"

    def offer(self, offer: int, account: int) -> str:
        return f"{self.root}/o/{self.tokens.make(claims.OfferClaim(offer, account))}"

    def watch(self, game: str, key: str) -> str:
        return f"{self.root}/w/{self.tokens.make(claims.WatchClaim(game, key))}"

    def join(self, game: str, key: str) -> str:
        return f"{self.root}/j/{self.tokens.make(claims.JoinClaim(game, key))}"

    def sit(self, game: str, account: int, key: str) -> str:
        """The link that lets a reader without a log-in sit down at an open table."""
        return f"{self.root}/sit/{self.tokens.make(claims.SitClaim(game, account, key))}"

    def member(self, member: int) -> str:
        return f"{self.root}/l/{self.tokens.make(claims.MemberClaim(member))}"

    def invitation(self, game: str, number: int, answer: str = "", holder: int = 0) -> str:
        """``answer``: accept or decline; the page asks to confirm it."""
        query = f"?answer={answer}" if answer else ""
        return f"{self.root}/i/{self.tokens.make(claims.InvitationClaim(game, number, holder))}{query}"

    def confirm(self, game: str, number: int, account: int) -> str:
        return f"{self.root}/p/{self.tokens.make(claims.ConfirmClaim(game, number, account))}"

    def login(self, login: str, then: str = "") -> str:
        """``then``: what whoever asked for the link came for."""
        link = f"{self.root}/login/{self.tokens.make(claims.LoginClaim(login))}"
        return f"{link}?then={quote_plus(then)}" if then else link

    def unsubscribe(self, account: int, game: str, kind: str) -> str:
        return f"{self.root}/u/{self.tokens.make(claims.UnsubscribeClaim(account, game, kind))}"

    def unsubscribe_by_mail(self, letter: int) -> str:
        """The mail address that does the same for letters like this one; empty where no mail is received."""
        return with_token(self.orders, self.tokens.numbered("stop", letter)) if self.orders else ""

    def feed(self, account: int, key: str, ending: str) -> str:
        """``ending``: atom or ics."""
        return f"{self.root}/feed/{self.tokens.make(claims.FeedClaim(account, key))}/turns.{ending}"

    def reply(self, letter: int) -> str:
        """The mail address to which a letter is answered; empty where none are."""
        return with_token(self.orders, self.tokens.numbered("reply", letter)) if self.orders else ""

    def guide(self, game: str, topic: str = "") -> str:
        """How a game is played; with a topic, that part of it."""
        return f"{self.root}/how-to-play/{game}{'#' if topic else ''}{topic}"

    def by_email(self) -> str:
        """How emails are answered; empty where they are not."""
        return f"{self.root}/how-to-play/by-email" if self.orders else ""

    def first_game(self, invitation: str = "") -> str:
        """The page that begins the first game; ``invitation``: the token of one, for whoever it was sent to."""
        return f"{self.root}/first-game{'?invitation=' if invitation else ''}{invitation}"

    def balance(self, key: str, number: int) -> str:
        """The report on a version of an own map."""
        return f"{self.own_map(key)}/balance?version={number}"

    tables = _page("tables")
    deliveries = _page("letters")
    new_game = _page("new")
    lobby = _page("")
    my_maps = _page("maps/own")
    notifications = _page("account/notifications")
    account = _page("account")
    archive = _page("archive")
    league = _page_about("leagues/{}")
    game = _page_about("games/{}")
    review = _page_about("archive/{}/review")
    record = _page_about("games/{}/record.json")
    game_file = _page_about("games/{}/game.html")
    map = _page_about("maps/{}")
    notation = _page_about("how-to-play/{}/orders")
    rulings = _page_about("rulings/{}")
    """How open questions of a game are answered; the number of a ruling is its anchor."""
    own_map = _page_about("maps/play/{}")
