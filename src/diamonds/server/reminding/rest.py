"""The hours in which somebody is not disturbed, where they are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from diamonds.game import Malformed
from diamonds.server.store.pushes import Quiet

DAY = 1440  # minutes


def check_zone(name: str) -> None:
    """`Malformed` unless there is a time zone of this name."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Malformed("push-no-zone") from None


def rests_until(quiet: Quiet | None, now: int) -> int | None:
    """When the quiet hours end in which ``now`` lies (both in milliseconds since 1970); ``None`` if it lies in none."""
    if quiet is None or quiet.begins == quiet.ends:
        return None
    here = datetime.fromtimestamp(now / 1000, UTC).astimezone(ZoneInfo(quiet.zone))
    minute = here.hour * 60 + here.minute
    if (minute - quiet.begins) % DAY >= (quiet.ends - quiet.begins) % DAY:
        return None
    ends = here.replace(hour=quiet.ends // 60, minute=quiet.ends % 60, second=0, microsecond=0)
    if quiet.ends <= minute:
        ends += timedelta(days=1)
    return max(now + 1, int(ends.timestamp() * 1000))
