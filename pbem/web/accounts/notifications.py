"""Devices, feeds and webhooks, and switching emails on again after they bounced."""

from typing import Any

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.engine import say
from pbem.service import BadInput, NotNow
from pbem.service.people import bounces, devices, feeds, webhooks
from pbem.service.people.bounces import UnreachableView
from pbem.web.base import forms
from pbem.web.base.context import form_sender, now, office, reader, reader_or_login
from pbem.web.base.devices import switch, switch_on
from pbem.web.base.forms import BadForm, argument, field

pages = Blueprint("notifications", __name__)

KINDS = (
    ("discord", "Discord", say("In Discord: channel settings, Integrations, Webhooks, Copy Webhook URL.")),
    ("slack", "Slack", say("An “incoming webhook” of Slack; Mattermost and Rocket.Chat read the same.")),
    ("ntfy", "ntfy", say("For the app of ntfy.sh or of your own server: the address of a topic, which only you know.")),
    ("json", say("Plain JSON"), say("For a program of your own.")),
)
SAID = {
    "feeds": say("Your feeds have new addresses. The old ones no longer work."),
    "closed": say("Your feeds are removed, and their addresses no longer work."),
    "added": say("The webhook is saved. Send a test to see whether it works."),
    "removed": say("The webhook is removed."),
    "device": say("This device now tells you when it is your turn."),
    "silent": say("The device is removed and gets no more notifications."),
    "mail": say("We send you emails again. A test email is on its way, and those that were held back follow."),
}


def mail_back() -> UnreachableView | None:
    account = reader()
    return None if account is None else bounces.unreachable(office(), account.id)


@pages.get("/account/notifications")
def show() -> str:
    reader_or_login()
    return _page()


@pages.get("/account/ways")
def moved() -> Response:
    """Emails of older versions link to this page by its former address."""
    return redirect(url_for("notifications.show"), code=301)


@pages.post("/account/notifications/feeds")
def change_feeds() -> Response:
    account = form_sender()
    match forms.field("do"):
        case "renew":
            feeds.renew(office(), account.id, now())
            return _back("feeds", "feeds")
        case "close":
            feeds.close(office(), account.id)
            return _back("closed", "feeds")
    raise BadForm(say("Choose “renew” or “close”."))


@pages.post("/account/notifications/webhooks")
def add_webhook() -> Response | tuple[str, int]:
    account = form_sender()
    typed = {
        "kind": forms.field("kind", default=""),
        "url": forms.field("url", longest=20_000, default="")[:2000],
        "game": forms.field("game", default=""),
    }
    try:
        webhooks.add(office(), account.id, typed["kind"], typed["url"], typed["game"], now())
    except BadInput as bad:
        flaws = {problem.field: problem.sentence for problem in bad.problems}
        return _page(typed=typed, flaws=flaws), 400
    except NotNow as many:
        return _page(typed=typed, flaws={"url": many.sentence}), 409
    return _back("added", "webhooks")


@pages.post("/account/notifications/webhooks/<int:webhook_id>")
def change_webhook(webhook_id: int) -> Response:
    account = form_sender()
    match forms.field("do"):
        case "test":
            webhooks.test(office(), account.id, webhook_id, now())
            return redirect(url_for("notifications.show", tested=1, _anchor=f"webhook-{webhook_id}"), code=303)
        case "remove":
            webhooks.remove(office(), account.id, webhook_id)
            return _back("removed", "webhooks")
    raise BadForm(say("Choose “test” or “remove”."))


@pages.post("/account/mail-again")
def mail_again() -> Response:
    account = form_sender()
    bounces.switch_on(office(), account.id, now())
    return _back("mail", "main")


def _back(said: str, where: str) -> Response:
    return redirect(url_for("notifications.show", said=said, _anchor=where), code=303)


def _page(**values: Any) -> str:
    account = reader_or_login()
    mine, told = webhooks.mine(office(), account.id), devices.mine(office(), account.id)
    testing = any(webhook.testing for webhook in mine) or any(device.trying for device in told)
    return render_template(
        "notifications.html",
        section="account",
        feeds=feeds.addresses(office(), account.id),
        webhooks=mine,
        kinds=KINDS,
        kind_names={key: name for key, name, _ in KINDS},
        hosted=webhooks.hosted(office(), account.id),
        most=webhooks.MOST,
        said=SAID.get(argument("said"), ""),
        look_again=argument("tested") == "1" and testing,
        devices=told,
        most_devices=devices.MOST,
        switch=switch(url_for("notifications.add_device"), account.id),
        **({"typed": {"kind": "discord", "url": "", "game": argument("game")}, "flaws": {}} | values),
    )


@pages.post("/account/notifications/devices")
def add_device() -> Response:
    switch_on(form_sender().id)
    return redirect(url_for("notifications.show", said="device", _anchor="devices"), code=303)


@pages.post("/account/notifications/devices/<int:number>")
def change_device(number: int) -> Response:
    account = form_sender()
    match field("do"):
        case "test":
            devices.test(office(), account.id, number, now())
            return redirect(url_for("notifications.show", tested=1, _anchor=f"device-{number}"), code=303)
        case "remove":
            devices.remove(office(), account.id, number)
            return redirect(url_for("notifications.show", said="silent", _anchor="devices"), code=303)
    raise BadForm(say("Choose “test” or “remove”."))
