"""The ``pbem`` command: one module of this package per sub-command, found by its file name.

A command module has a docstring whose first line is its help, ``add(parser)`` that declares its arguments and
``run(args) -> int`` that returns the exit status. ``import_.py`` is called ``import``, ``cancel_game.py`` is called
``cancel-game``; a name that begins with an underscore is not a command. A sentence raised as :class:`Failure` is
printed and ends with its status.
"""

import argparse
import ast
import importlib
import os
import pkgutil
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

import pbem
from pbem.cli._terminal import Failure

__all__ = ["Failure", "main", "names", "parser"]

Run = Callable[[argparse.Namespace], int]


class Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    @override
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"pbem {pbem.__version__}")
        parser.exit()


def names() -> dict[str, str]:
    """Every sub-command with the module that holds it, in alphabetical order."""
    modules = sorted(info.name for info in pkgutil.iter_modules(__path__) if not info.name.startswith("_"))
    return {module.rstrip("_").replace("_", "-"): f"{__name__}.{module}" for module in modules}


def parser(asked: str = "") -> argparse.ArgumentParser:
    """The argument parser. It imports the command ``asked`` for and no other; help lists all of them unimported."""
    top = argparse.ArgumentParser(prog="pbem", description="Long railway board games, played by email.")
    top.add_argument("--version", action=Version, nargs=0, help="print the version and exit")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    if asked in names():
        _add(commands.add_parser, asked)
    else:
        for name in names():
            commands.add_parser(name, help=_summary(name))
    return top


def _add(add_parser: Callable[..., argparse.ArgumentParser], name: str) -> None:
    command: Any = importlib.import_module(names()[name])
    about = (command.__doc__ or "").strip()
    sub = add_parser(name, description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add(sub)
    sub.set_defaults(run=command.run)


def _summary(name: str) -> str:
    """The first line of what a command says of itself, read from its source: importing them all takes seconds."""
    module = names()[name].rpartition(".")[2]
    source = (Path(__file__).parent / f"{module}.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns 0, or 1 with a sentence on standard error, or 2 for unreadable arguments."""
    words = list(sys.argv[1:] if argv is None else argv)
    args = parser(next((word for word in words if word != "--"), "")).parse_args(words)
    run: Run = args.run
    try:
        status = run(args)
        sys.stdout.flush()
    except Failure as failure:
        print(f"pbem: {failure}", file=sys.stderr)
        return failure.status
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # The reader (head, less) has gone; the interpreter would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status
