"""Where templates lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.settings import paths


def test_a_checkout_has_its_templates_beside_the_package() -> None:
    assert (paths.templates_folder() / "mail" / "your-turn" / "body.txt").is_file()


def test_an_installed_package_has_them_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pbem" / "templates").mkdir(parents=True)
    monkeypatch.setattr(paths, "__file__", str(tmp_path / "pbem" / "settings" / "paths.py"))
    assert paths.templates_folder() == tmp_path / "pbem" / "templates"


def test_without_any_the_error_says_where_it_looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "__file__", str(tmp_path / "pbem" / "settings" / "paths.py"))
    with pytest.raises(FileNotFoundError, match="no templates beside"):
        paths.templates_folder()
