"""What is worked out once for a key, and forgotten when there is too much."""

from __future__ import annotations

from pbem.robot.thinking.memory import Memory


def test_a_value_is_made_once_and_the_one_longest_not_asked_for_is_forgotten() -> None:
    made: list[str] = []

    def ask(key: str) -> str:
        return memory.get(key, lambda: made.append(key) or key.upper())  # type: ignore[func-returns-value]

    memory = Memory[str](2)
    assert [ask(key) for key in "abacab"] == list("ABACAB")
    assert made == ["a", "b", "c", "b"]
