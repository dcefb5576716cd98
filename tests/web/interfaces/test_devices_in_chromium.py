"""A real browser is switched on, and shows what the server tells it: from a move to the notification on its screen.

Two things are not those of the world: the push service, which is on this machine, so that the subscription is put where
Chromium would have Google's; and DevTools, which hand the message to the worker as the browser would.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import CDPSession, Page, Worker, expect
from sqlalchemy import select

from pbem.service.base.urls import Addresses
from pbem.service.people import devices
from pbem.store.tables import PushMessage, Seat
from pbem.web.base import context
from tests.patience import PATIENCE
from tests.pushservice import Browser, PushService
from tests.web.browsers import serving
from tests.web.conftest import Games
from tests.web.site import Site
from workers import work

AGENT = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
)
PUT = """subscription => {
  const off = async () => { delete sessionStorage.there; return (sessionStorage.off = true); };
  const there = { endpoint: subscription.endpoint, unsubscribe: off, toJSON: () => subscription };
  PushManager.prototype.getSubscription = async () => (sessionStorage.there ? there : null);
  PushManager.prototype.subscribe = async (options) => {
    window.asked = options;
    sessionStorage.there = true;
    return there;
  };
}"""
"""What stands in the place of the push service of Chromium, which needs the network."""
SHOWN = """async () => {
  const found = [];
  for (const one of await (await navigator.serviceWorker.ready).getNotifications())
    found.push({ title: one.title, body: one.body, tag: one.tag, silent: one.silent, data: one.data });
  return found;
}"""
KEPT = """() => {
  const show = registration.showNotification.bind(registration);
  self.kept = [];
  registration.showNotification = async (title, options) => {
    await show(title, options);
    self.kept.push({ body: options.body, silent: Boolean(options.silent) });
  };
}"""
"""What the worker has shown. Chromium forgets a notification that is asked for while it is being shown."""
CLICKED = """async () => {
  clients.openWindow = async (url) => { self.opened = url; };
  const [notification] = await registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  dispatchEvent(event);
}"""


@dataclass
class Player:
    """A browser in which the player of the next seat has logged in, on a server with a push service at its side."""

    page: Page
    site: Site
    root: str
    service: PushService
    device: Browser
    devtools: CDPSession
    registration: str = ""

    def told(self) -> dict[str, Any]:
        """Send what waits; the last message, decrypted and handed to the worker of the page."""
        waiting = select(PushMessage.id).where(PushMessage.status == "waiting").order_by(PushMessage.id)
        for number in self.site.rows(waiting):
            work.push(self.site.office, number)
        message = self.device.read(self.service.heard[-1])
        handed = {"origin": self.root, "registrationId": self.registration, "data": json.dumps(message)}
        self.devtools.send("ServiceWorker.deliverPushMessage", handed)
        return message

    def said(self, number: int) -> list[dict[str, Any]]:
        """What the worker has shown, once it has done so this often."""
        until = time.monotonic() + PATIENCE
        while len(found := self.worker.evaluate("self.kept")) < number and time.monotonic() < until:
            self.page.wait_for_timeout(50)
        return list(found)

    def shown(self, number: int = 1) -> list[dict[str, Any]]:
        """The notifications on the screen, once there are so many; the worker is at rest."""
        until = time.monotonic() + PATIENCE
        while len(found := self.page.evaluate(SHOWN)) != number and time.monotonic() < until:
            self.page.wait_for_timeout(50)
        return list(found)

    @property
    def worker(self) -> Worker:
        (worker,) = self.page.context.service_workers
        return worker


@pytest.fixture
def player(saved: Games, chromium: Chromium, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    site = saved.at("choices")
    monkeypatch.setattr(work, "now", lambda: site.now)
    browser = chromium.new_context(user_agent=AGENT)
    with serving(site.app) as root, PushService() as service:
        settings = replace(site.office.settings, webhooks_loopback=True, public_url=root)
        addresses = Addresses(root, site.office.tokens, "")
        site.office = replace(site.office, settings=settings, addresses=addresses)
        site.app.extensions[context.EXTENSION] = context.RequestContext(site.office, lambda: site.now, 0)
        browser.grant_permissions(["notifications"], origin=root)
        page = browser.new_page()
        device = Browser("/wp/chromium")
        offered = device.subscription(service.root)
        put = {"endpoint": offered.endpoint, "keys": {"p256dh": offered.p256dh, "auth": offered.auth}}
        page.add_init_script(f"({PUT})({json.dumps(put)})")
        devtools = browser.new_cdp_session(page)
        there = Player(page, site, root, service, device, devtools)
        devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: _note(there, event))
        devtools.send("ServiceWorker.enable")
        page.goto(site.office.addresses.seat(site.game, site.number(site.rest()[0])))
        page.get_by_role("button", name="Stay logged in").click()
        page.goto(f"{root}/account/notifications")
        page.evaluate("navigator.serviceWorker.ready")
        there.worker.evaluate(KEPT)
        yield there
        browser.close()
    saved.close(site)


def _note(player: Player, event: dict[str, Any]) -> None:
    for one in event["registrations"]:
        if not one["isDeleted"] and one["scopeURL"].startswith(player.root):
            player.registration = one["registrationId"]


def switch_on(player: Player) -> None:
    player.page.get_by_role("button", name="Tell this device when it is my turn").click()
    expect(player.page.locator(".note.good")).to_contain_text("This device now tells you when it is your turn.")


def test_a_browser_is_switched_on_told_and_its_click_leads_to_the_question(player: Player) -> None:
    page, site = player.page, player.site
    switch_on(player)
    expect(page.locator("#device button")).to_have_text("This device tells you.")
    expect(page.locator("#device button")).to_be_disabled()
    account = site.only(select(Seat.account_id).where(Seat.game_id == site.game, Seat.colour == site.rest()[0]))
    (view,) = devices.mine(site.office, account or 0)
    assert view.label == "Chrome, Android"
    site.play()
    told = player.told()
    player.said(1)
    (shown,) = player.shown()
    assert (shown["title"], shown["body"], shown["tag"]) == (told["title"], told["body"], site.game)
    assert shown["title"].startswith("Coal by post: ")
    player.worker.evaluate(CLICKED)
    assert player.shown(0) == []
    opened = player.worker.evaluate("self.opened")
    assert opened == told["link"]
    page.goto(opened)
    expect(page.locator(".me")).to_contain_text("Chloé")
    expect(page.locator("form#play, #choices, main form").first).to_be_attached()


def test_what_is_answered_elsewhere_goes_from_the_screen_by_itself(player: Player) -> None:
    switch_on(player)
    player.site.play()
    question = player.told()
    player.said(1)
    player.site.play()
    told = player.told()
    assert told["answered"]
    said = [(question["body"], False), ("Answered. There is nothing left to do.", True)]
    assert [(one["body"], one["silent"]) for one in player.said(2)] == said
    assert player.shown(0) == []


def test_the_key_of_the_server_is_what_the_browser_subscribes_with(player: Player) -> None:
    player.page.evaluate("document.querySelector('#device').submit = () => {}")
    player.page.get_by_role("button", name="Tell this device").click()
    player.page.wait_for_function("window.asked")
    asked = player.page.evaluate("({ key: asked.applicationServerKey, visible: asked.userVisibleOnly })")
    assert asked == {"key": devices.key(player.site.office), "visible": True}


def test_whoever_logs_out_is_told_nothing_more_on_the_device(player: Player) -> None:
    switch_on(player)
    page = player.page
    page.get_by_role("button", name="Log out", exact=True).click()
    expect(page).to_have_url(f"{player.root}/?logged_out=1")
    assert page.evaluate("sessionStorage.off") == "true"


def test_a_browser_that_may_not_or_cannot_says_so(player: Player) -> None:
    page = player.page
    page.add_init_script("Notification.requestPermission = async () => 'denied'")
    page.reload()
    page.get_by_role("button", name="Tell this device").click()
    expect(page.locator("#device [data-said]")).to_contain_text("may not show notifications")
    page.add_init_script("delete window.PushManager")
    page.reload()
    page.get_by_role("button", name="Tell this device").click()
    expect(page.locator("#device [data-said]")).to_contain_text("cannot notify you")
