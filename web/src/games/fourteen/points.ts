// Points in fourteen during a hand.
import type { FourteenView } from '../../client/types'

export const [BID, TRICKS] = [1, 2] // values of the option `scoring` (F10, F11)

/** A view between two updates. If `isScored`, its totals already include the points of its hand. */
export type FourteenFrameView = FourteenView & { isScored?: boolean }

/** Return the points of each seat, including those of the hand being played unless bids decide them only at its end (F10). */
export function pointsNow({ totals, scoring, tricks, taken, seats, over, isScored }: FourteenFrameView): number[] {
  const hand = scoring === TRICKS ? tricks : taken
  return totals.slice(0, seats).map((total, seat) => total + (over || isScored || scoring === BID ? 0 : hand[seat]!))
}
