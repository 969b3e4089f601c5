// The ♦ in a hand that is not seen.
import { suitOf } from '../../components/cards'
import type { EventInfo, MinesView } from '../../client/types'

export const isDiamond = (card: unknown): boolean => typeof card === 'string' && suitOf(card) === 'D'

/** Return how many ♦ the other hand can hold, as its opponent may work out (M8, M10): at least, at most. */
export function diamondRange({ hand, hand_size, known }: MinesView, me: number): [least: number, most: number] {
  const handedOver = known[me] ?? []
  const least = handedOver.filter(isDiamond).length
  const own = hand[me]?.filter(isDiamond).length ?? 0
  return [least, Math.min(hand_size[1 - me]! - handedOver.length + least, 13 - own, 6)] // with seven the game would be over
}

/** Return how many ♦ the other hand holds on average: their share of the cards that its player dug, and those handed over. */
export function expectedDiamonds(view: MinesView, me: number, log: readonly EventInfo[]): number {
  let [dug, given] = [0, 0] // by the other player; ♦ given by the viewer, less those received
  for (const { event } of log) {
    if (event.event === 'dug' && event.seat !== me) dug++
    if (event.event === 'gave' && isDiamond(event.card)) given += event.seat === me ? 1 : -1
  }
  const left = view.left.reduce((sum, cards) => sum + cards, 0)
  const own = view.hand[me]?.filter(isDiamond).length ?? 0
  const [least, most] = diamondRange(view, me)
  return Math.max(least, Math.min(most, Math.round((dug * (13 - own - given)) / Math.max(1, left + dug) + given)))
}
