"""The browsers that take messages: how one begins to, stops, and when none is wanted."""

from __future__ import annotations

import base64
import binascii
import secrets

from diamonds.game import Malformed, Unknown
from diamonds.server.api import reminders as messages
from diamonds.server.house.tables import Tables
from diamonds.server.reminding.rest import check_zone
from diamonds.server.reminding.sending import Sender, on_curve
from diamonds.server.reminding.turns import Turns
from diamonds.server.store.accounts import today
from diamonds.server.store.pushes import Call, PushChange, Quiet, Subscription
from diamonds.server.table.names import clean_text


class Browsers:
    """What people do about them."""

    def __init__(self, tables: Tables, turns: Turns, sender: Sender) -> None:
        self.store = tables.store
        self.turns = turns
        self.sender = sender

    async def info(self, person: str, browser: str) -> messages.PushInfo:
        """What somebody is told, in one of their browsers."""
        quiet = await self.store.pushes.quiet(person)
        return messages.PushInfo(
            self.sender.public,
            [
                messages.PushBrowser(one.id, one.label, one.since, one.browser == browser)
                for one in await self.store.pushes.of(person)
            ],
            None if quiet is None else messages.QuietHours(quiet.begins, quiet.ends, quiet.zone),
        )

    async def add(self, person: str, browser: str, asked: messages.TakesMessages, language: str) -> None:
        """A browser takes messages from now on, in a language. Of turns that there are already its person knows by the page."""
        self.sender.services.place(asked.endpoint)
        key, auth = _bytes(asked.p256dh), _bytes(asked.auth)
        if not on_curve(key) or len(auth) != 16:
            raise Malformed("push-keys")
        id = secrets.token_urlsafe(9)
        label = clean_text(asked.label)[:60] if asked.label.strip() else ""
        one = Subscription(id, person, browser, asked.endpoint, key, auth, label, language, today())
        turns = [table for table, asked in (await self.turns.by_days(person)).items() if asked]
        told = tuple([Call(id, table, await self.store.answered(person, table), 0) for table in turns])
        await self.store.commit(PushChange(put=one, calls=told))

    async def remove(self, person: str, mark: str) -> None:
        """One of somebody's browsers takes none any more."""
        if mark not in {one.id for one in await self.store.pushes.of(person)}:
            raise Unknown("push-no-such-browser")
        await self.store.commit(PushChange(remove=(mark,)))

    async def rest(self, person: str, hours: messages.QuietHours) -> None:
        """When somebody does not want to be disturbed."""
        check_zone(hours.zone)
        await self.store.commit(PushChange(quiet=(person, Quiet(hours.begins, hours.ends, hours.zone))))


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise Malformed("push-keys") from None
