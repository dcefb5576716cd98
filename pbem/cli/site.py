"""Write the archive as a static site, which any web server can give away from any of its folders.

It has all finished games that are in public lists, each as a page with every position, charts, dice and the record; the
archive with a search; every map with its rules; how to play; statistics. All addresses in it are relative. Written
again, it changes only what has changed, and removes what is no longer there.
"""

import argparse
import os
from pathlib import Path

from pbem.cli._office import office
from pbem.cli._terminal import Failure, Progress
from pbem.web import Occupied, write_site


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="an empty folder, or one that was written before")
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="processes that make pages of games (default: one per CPU)"
    )
    parser.add_argument(
        "--letters",
        type=Path,
        metavar="FOLDER",
        help="show the letters of a game: mails/ of a pbem demo",
    )
    parser.add_argument(
        "--by-turn",
        action="store_true",
        help="games show the position after every turn, not after every order: seven times as fast, for large archives",
    )
    parser.add_argument("--url", default="", metavar="BASE", help="where it will be, for its sitemap")


def run(args: argparse.Namespace) -> int:
    jobs = args.jobs if args.jobs is not None else os.cpu_count() or 1
    if jobs < 1:
        raise Failure("--jobs must be at least 1.", 2)
    progress = Progress("files")
    with office() as opened:
        try:
            site = write_site(opened, args.folder, args.url, progress, jobs, args.letters, by_turn=args.by_turn)
        except Occupied as sentence:
            raise Failure(str(sentence)) from sentence
        except OSError as error:
            raise Failure(f"{args.folder} cannot be written: {error.strerror}.") from error
    progress.end()
    print(f"{args.folder}: {len(site)} files, {site.written} written, {site.removed} removed")
    return 0
