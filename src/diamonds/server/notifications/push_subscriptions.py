"""Push subscriptions, and quiet hours in the person's time zone."""

from __future__ import annotations

import base64
import binascii
import secrets
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from diamonds.errors import InvalidInputError, NotFoundError
from diamonds.server.api import notifications as messages
from diamonds.server.notifications.turn_feed import TurnFeedHub
from diamonds.server.notifications.web_push import WebPushSender, is_valid_public_key
from diamonds.server.people.display_names import clean_text
from diamonds.server.server_time import today
from diamonds.server.storage.push import PendingPush, PushChange, PushSubscription, QuietHours
from diamonds.server.tables.service import TableService

DAY_MINUTES = 1440


def check_time_zone(name: str) -> None:
    """Raise `InvalidInputError` if there is no time zone of this name."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInputError("push-no-zone") from None


def quiet_until_ms(quiet_hours: QuietHours | None, now: int) -> int | None:
    """Return when the quiet hours around `now` end (both in ms since 1970); `None` outside quiet hours."""
    if quiet_hours is None or quiet_hours.start_minute == quiet_hours.end_minute:
        return None
    local_time = datetime.fromtimestamp(now / 1000, UTC).astimezone(ZoneInfo(quiet_hours.time_zone))
    minute = local_time.hour * 60 + local_time.minute
    if (minute - quiet_hours.start_minute) % DAY_MINUTES >= (
        quiet_hours.end_minute - quiet_hours.start_minute
    ) % DAY_MINUTES:
        return None
    end_time = local_time.replace(
        hour=quiet_hours.end_minute // 60, minute=quiet_hours.end_minute % 60, second=0, microsecond=0
    )
    if quiet_hours.end_minute <= minute:
        end_time += timedelta(days=1)
    return max(now + 1, int(end_time.timestamp() * 1000))


class PushSubscriptions:
    """The operations on push subscriptions."""

    def __init__(self, tables: TableService, turns: TurnFeedHub, sender: WebPushSender) -> None:
        self.store = tables.store
        self.turns = turns
        self.sender = sender

    async def info(self, person: str, browser: str) -> messages.PushResponse:
        """Return a person's subscriptions and quiet hours, as seen from one browser."""
        quiet_hours = await self.store.push.quiet_hours(person)
        return messages.PushResponse(
            self.sender.public_key,
            [
                messages.PushSubscriptionInfo(
                    subscription.id, subscription.label, subscription.last_seen_day, subscription.browser == browser
                )
                for subscription in await self.store.push.subscriptions_of(person)
            ],
            None
            if quiet_hours is None
            else messages.QuietHoursRequest(quiet_hours.start_minute, quiet_hours.end_minute, quiet_hours.time_zone),
        )

    async def add(self, person: str, browser: str, request: messages.SubscribeRequest, language: str) -> None:
        """Subscribe a browser. It gets no notifications for existing turns, which the person sees on the page."""
        self.sender.allowlist.endpoint(request.endpoint)
        key, auth = _decode_base64(request.p256dh), _decode_base64(request.auth)
        if not is_valid_public_key(key) or len(auth) != 16:
            raise InvalidInputError("push-keys")
        subscription_id = secrets.token_urlsafe(9)
        label = clean_text(request.label)[:60] if request.label.strip() else ""
        subscription = PushSubscription(
            subscription_id, person, browser, request.endpoint, key, auth, label, language, today()
        )
        open_turns = [table for table, request in (await self.turns.correspondence_turns(person)).items() if request]
        pushes = tuple(
            [
                PendingPush(subscription_id, table, await self.store.last_entry_by(person, table), 0)
                for table in open_turns
            ]
        )
        await self.store.commit(PushChange(subscription=subscription, pending=pushes))

    async def remove(self, person: str, subscription_id: str) -> None:
        """Remove one of a person's subscriptions."""
        if subscription_id not in {subscription.id for subscription in await self.store.push.subscriptions_of(person)}:
            raise NotFoundError("push-no-such-browser")
        await self.store.commit(PushChange(removed_subscriptions=(subscription_id,)))

    async def set_quiet_hours(self, person: str, hours: messages.QuietHoursRequest) -> None:
        """Set a person's quiet hours."""
        check_time_zone(hours.time_zone)
        await self.store.commit(
            PushChange(quiet_hours=(person, QuietHours(hours.start_minute, hours.end_minute, hours.time_zone)))
        )


def _decode_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInputError("push-keys") from None
