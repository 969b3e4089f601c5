// Points in fourteen during a hand.
import type { FourteenView } from '../../client/types'

export const [BID, TRICKS] = [1, 2] // values of the option `scoring` (F10, F11)

/** A view between two updates, whose totals may have the points of its hand already. */
export type FourteenFrameView = FourteenView & { isScored?: boolean }

/** Return the points of each seat with those of the hand being played, except if bids decide only at its end (F10). */
export function pointsNow({ totals, scoring, tricks, taken, seats, over, isScored }: FourteenFrameView): number[] {
  const hand = scoring === TRICKS ? tricks : taken
  return totals.slice(0, seats).map((total, seat) => total + (over || isScored || scoring === BID ? 0 : hand[seat]!))
}
