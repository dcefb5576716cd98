"""What the operator does with maps that people draw: keep one against which something was said, or withdraw it."""

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from pbem.service import BadInput
from pbem.service.operator import operating
from pbem.service.own_maps import states
from pbem.web.accounts.operator import who_acts
from pbem.web.base.context import now, office
from pbem.web.base.forms import NO_BUTTON, BadForm, field

pages = Blueprint("host_maps", __name__)


@pages.post("/host/maps")
def act() -> Response:
    own, key, wish = who_acts(), field("key"), field("do")
    match wish:
        case "keep":
            states.keep(office(), key, now())
        case "withdraw":
            reason = field("reason", longest=20_000, default="")
            try:
                states.withdraw_for_operator(office(), key, reason, now())
            except BadInput as bad:
                raise BadForm(bad.sentence, reason) from bad
        case _:
            raise BadForm(NO_BUTTON)
    operating.note(office(), own.id, "keeps-map" if wish == "keep" else "withdraws-map", 0, now())
    return redirect(url_for("host.show", done="map-kept" if wish == "keep" else "map-withdrawn"), code=303)
