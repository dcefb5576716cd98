"""Devices of an account that are told when it is the owner's turn."""

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from pbem.engine.text import say
from pbem.service.people import devices
from pbem.web.base.context import form_sender, now, office
from pbem.web.base.devices import switch_on
from pbem.web.base.forms import BadForm, field

pages = Blueprint("devices", __name__)


@pages.post("/account/notifications/devices")
def add() -> Response:
    switch_on(form_sender().id)
    return redirect(url_for("notifications.show", said="device", _anchor="devices"), code=303)


@pages.post("/account/notifications/devices/<int:number>")
def change(number: int) -> Response:
    account = form_sender()
    match field("do"):
        case "test":
            devices.test(office(), account.id, number, now())
            return redirect(url_for("notifications.show", tested=1, _anchor=f"device-{number}"), code=303)
        case "remove":
            devices.remove(office(), account.id, number)
            return redirect(url_for("notifications.show", said="silent", _anchor="devices"), code=303)
    raise BadForm(say("Choose “test” or “remove”."))
