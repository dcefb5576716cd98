"""Changes of Python code: one at every number, flag, key and comparison, two at every condition.

A change is text put in the place of one expression. Left alone: words for people, annotations, decorators, assertions
and ``strict=``.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

from typing_extensions import override

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
BOUNDS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
KEY = re.compile(r"[a-z][a-z0-9_-]*")
"""What a program reads; sentences for people look different."""


@dataclass(frozen=True)
class Change:
    """One planted change. ``scope``: the outermost function, or none; ``owner``: what the statement gives a name to."""

    path: str
    line: int
    last_line: int
    was: str
    now: str
    source: str
    scope: str | None
    owner: str | None

    @property
    def key(self) -> tuple[str, str, str]:
        """What stays the same when lines move."""
        return self.path, self.was, self.now

    def compiled(self) -> CodeType:
        return compile(self.source, str(Path(self.path).resolve()), "exec", dont_inherit=True)

    @override
    def __str__(self) -> str:
        return f"{self.path}:{self.line}\n    - {self.was}\n    + {self.now}"


@dataclass(frozen=True)
class _Spot:
    node: ast.expr
    new: str
    scope: str | None
    owner: str | None
    span: tuple[int, int]


def changes_of(path: str, source: str) -> list[Change]:
    """All changes of a module, in the order of its lines."""
    found: dict[tuple[int, str, str], Change] = {}
    for spot in _Walk(source).spots():
        change = _change(path, source, spot)
        found.setdefault((change.line, change.was, change.now), change)
    return sorted(found.values(), key=lambda change: change.line)


def _change(path: str, source: str, spot: _Spot) -> Change:
    lines = source.encode().splitlines(keepends=True)
    node = spot.node
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    first, last = node.lineno - 1, node.end_lineno - 1
    text = spot.new.encode() + b"\\\n" * (last - first)  # what stands below keeps its line
    changed = lines[first][: node.col_offset] + text + lines[last][node.end_col_offset :]
    now = b"".join([*lines[:first], changed, *lines[last + 1 :]]).decode()
    shown = changed.replace(b"\\\n", b"").decode().strip()
    return Change(path, node.lineno, spot.span[1], lines[first].decode().strip(), shown, now, spot.scope, spot.owner)


class _Walk:
    """Goes through a module and remembers where it is."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._scope: str | None = None
        self._owner: str | None = None
        self._span = (1, 1)

    def spots(self) -> Iterator[_Spot]:
        yield from self._body(ast.parse(self._source).body)

    def _spot(self, node: ast.expr, new: str) -> _Spot:
        return _Spot(node, new, self._scope, self._owner, self._span)

    def _body(self, statements: Sequence[ast.stmt]) -> Iterator[_Spot]:
        for statement in statements:
            yield from self._statement(statement)

    def _statement(self, node: ast.stmt) -> Iterator[_Spot]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from self._function(node)
            case ast.ClassDef():
                yield from self._class(node)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Import() | ast.ImportFrom() | ast.Assert():
                return
            case ast.If(body=[ast.Raise(exc=ast.Call(func=ast.Name(id="AssertionError" | "TypeError")))], orelse=[]):
                return  # an assertion in other words
            case ast.Expr(value=ast.Constant()):
                return  # what explains
            case _:
                yield from self._simple(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[_Spot]:
        outer = self._scope, self._owner, self._span
        if self._scope is None:
            self._owner, self._span = node.name, (node.lineno, node.lineno)
            for default in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
                yield from self._expression(default)
            self._scope = node.name if outer[1] is None else f"{outer[1]}.{node.name}"
        yield from self._refusals(node)
        yield from self._body(node.body)
        self._scope, self._owner, self._span = outer

    def _class(self, node: ast.ClassDef) -> Iterator[_Spot]:
        outer = self._owner
        self._owner = node.name if outer is None else f"{outer}.{node.name}"
        yield from self._body(node.body)
        self._owner = outer

    def _refusals(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[_Spot]:
        """A refusal that is none."""
        if not node.name.lstrip("_").startswith("refus"):
            return
        for inner in ast.walk(node):
            if isinstance(inner, ast.Return) and isinstance(inner.value, ast.Call):
                self._span = _lines(inner)
                yield self._spot(inner.value, "None")

    def _simple(self, node: ast.stmt) -> Iterator[_Spot]:
        outer = self._owner
        if self._scope is None and (name := _named(node)) is not None:
            self._owner = name
        heads, bodies = _parts(node)
        for head in heads:
            self._span = _lines(head if bodies and isinstance(head, ast.expr) else node)
            if isinstance(node, ast.If) and head is node.test:
                yield from self._condition(node.test)
            else:
                yield from self._expression(head)
        for body in bodies:
            yield from self._body(body)
        self._owner = outer

    def _condition(self, test: ast.expr) -> Iterator[_Spot]:
        yield self._spot(test, "True")
        yield self._spot(test, "False")
        yield from self._within_condition(test)

    def _within_condition(self, test: ast.expr) -> Iterator[_Spot]:
        match test:
            case ast.Compare(ops=[op]) if not isinstance(op, BOUNDS):  # forced both ways already
                yield from self._children(test)
            case ast.UnaryOp(op=ast.Not()):
                yield from self._within_condition(test.operand)
            case _:
                yield from self._expression(test)

    def _expression(self, node: ast.AST) -> Iterator[_Spot]:
        match node:
            case ast.Constant():
                yield from self._constant(node)
            case ast.Compare():
                yield from self._comparison(node)
                yield from self._children(node)
            case ast.BoolOp():
                yield self._joined(node)
                yield from self._children(node)
            case ast.UnaryOp(op=ast.Not()):
                yield self._spot(node, f"({ast.unparse(node.operand)})")
                yield from self._children(node)
            case ast.IfExp():
                yield from self._condition(node.test)
                yield from self._expression(node.body)
                yield from self._expression(node.orelse)
            case ast.comprehension():
                for test in node.ifs:
                    yield from self._condition(test)
                yield from self._expression(node.iter)
            case ast.Slice():
                yield from self._bounds(node)
            case ast.match_case():
                if node.guard is not None:
                    self._span = _lines(node.guard)
                    yield from self._condition(node.guard)
                yield from self._body(node.body)
            case ast.JoinedStr() | ast.MatchSingleton() | ast.MatchValue():
                return  # words for people; a value to match is met by the case that follows
            case ast.Dict():
                yield from self._keys([*node.keys, *node.values])
                yield from self._children(node)
            case ast.Tuple() | ast.List() | ast.Set():
                yield from self._keys(node.elts)
                yield from self._children(node)
            case ast.Call():
                yield from self._call(node)
            case ast.Subscript():
                yield from self._keys([node.slice])
                yield from self._children(node)
            case _:
                yield from self._children(node)

    def _children(self, node: ast.AST) -> Iterator[_Spot]:
        for child in ast.iter_child_nodes(node):
            yield from self._expression(child)

    def _call(self, node: ast.Call) -> Iterator[_Spot]:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            yield from self._keys(node.args[:1])
        if isinstance(node.func, ast.Name) and node.func.id in {"TypeVar", "ParamSpec", "NewType", "cast"}:
            return
        yield from self._expression(node.func)
        for child in node.args:
            yield from self._expression(child)
        for keyword in node.keywords:
            if keyword.arg != "strict":
                yield from self._expression(keyword.value)

    def _constant(self, node: ast.Constant) -> Iterator[_Spot]:
        if isinstance(node.value, bool):
            yield self._spot(node, str(not node.value))
        elif isinstance(node.value, int | float):
            yield self._spot(node, repr(node.value + 1))

    def _keys(self, nodes: Sequence[ast.expr | None]) -> Iterator[_Spot]:
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value):
                yield self._spot(node, repr(node.value + "x").replace("'", '"'))

    def _bounds(self, node: ast.Slice) -> Iterator[_Spot]:
        """``[1:]`` becomes ``[0:]``: one more, where there is one more."""
        for bound in (node.lower, node.upper, node.step):
            if isinstance(bound, ast.Constant) and isinstance(bound.value, int) and bound.value > 0:
                yield self._spot(bound, str(bound.value - 1))
            elif bound is not None:
                yield from self._expression(bound)

    def _comparison(self, node: ast.Compare) -> Iterator[_Spot]:
        for number, op in enumerate(node.ops):
            ops = [FLIPPED[type(op)]() if here == number else kept for here, kept in enumerate(node.ops)]
            yield self._spot(node, ast.unparse(ast.Compare(node.left, ops, node.comparators)))

    def _joined(self, node: ast.BoolOp) -> _Spot:
        op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return self._spot(node, f"({ast.unparse(ast.BoolOp(op, node.values))})")


def _parts(node: ast.stmt) -> tuple[Sequence[ast.AST], Sequence[list[ast.stmt]]]:
    """The expressions of a statement that are run where it stands, and the blocks in it."""
    match node:
        case ast.If() | ast.While():
            return [node.test], [node.body, node.orelse]
        case ast.For():
            return [node.iter], [node.body, node.orelse]
        case ast.With():
            return [item.context_expr for item in node.items], [node.body]
        case ast.Try():
            return [], [node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody]
        case ast.AnnAssign():
            return [node.value] if node.value is not None else [], []
        case ast.Match():
            return [node.subject, *node.cases], []
        case _:
            return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)], []


def _lines(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.lineno, node.end_lineno or node.lineno


def _named(node: ast.stmt) -> str | None:
    """The name that a statement outside functions gives a value to."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name), *_]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return None
