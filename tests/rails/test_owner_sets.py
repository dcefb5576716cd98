"""Who owns a way from one place to another: the smallest sets of railroads (R85)."""

from pbem.rails.track import Link, owner_sets


def test_smallest_sets_are_found_over_rings_and_without_owners() -> None:
    """R85: a way round costs no more owners, a link of nobody none."""
    links = [
        Link(("w", "a"), "blue"),
        Link(("a", "b"), "green"),
        Link(("a", "b"), None),
        Link(("b", "w"), "pink"),
        Link(("b", "e"), "blue"),
    ]
    assert owner_sets(links, ["w"], ["e"]) == {frozenset({"blue"})}
    assert owner_sets(links[:1], ["w"], ["e"]) == set()
    assert owner_sets([Link(("w", "e"), None)], ["w"], ["e"]) == {frozenset()}


def test_sets_of_which_none_holds_another_are_all_found() -> None:
    """R85: the player who completes the connection chooses among them."""
    links = [Link(("w", "a"), "blue"), Link(("a", "e"), "green"), Link(("a", "f"), "pink")]
    assert owner_sets(links, ["w"], ["e", "f"]) == {frozenset({"blue", "green"}), frozenset({"blue", "pink"})}
