// The current suit of a trick, derived from its cards.
import { rankNumber, suitOf } from '../../components/cards'
import type { FourteenView, Suit } from '../../client/types'

/** Return whether two cards of the short pack add up to fourteen (F5). */
export const addsToFourteen = (a: string, b: string): boolean => rankNumber(a) + rankNumber(b) === 14

/** Return the suit after these cards, and the effect of the last fourteen (F6, F9). `reach` is the number of preceding cards with which a card may make fourteen. */
export function suitAfter(cards: readonly string[], reach: number): { suit: Suit; last: 'none' | 'turned' | 'stayed' } | null {
  const [led, ...others] = cards
  if (!led) return null
  const found = { suit: suitOf(led), last: 'none' as 'none' | 'turned' | 'stayed' }
  others.forEach((card, k) => {
    if (!cards.slice(Math.max(0, k + 1 - reach), k + 1).some((before) => addsToFourteen(before, card))) return
    found.last = suitOf(card) === found.suit ? 'stayed' : 'turned'
    found.suit = suitOf(card)
  })
  return found
}

/** Return the place in the trick of the highest card of a suit (F7). */
export const highestOf = (cards: readonly string[], suit: Suit): number =>
  cards.reduce((best, card, k) => (suitOf(card) === suit && (best < 0 || rankNumber(card) > rankNumber(cards[best]!)) ? k : best), -1)

/** Return the cards of your hand that change the suit by making fourteen with the last card, or with either of the last two (F5, F6, F9). */
export function cardsChangingSuit(view: FourteenView, hand: readonly string[]): Set<string> {
  const last = view.trick.slice(view.match ? -2 : -1)
  return new Set(hand.filter((card) => suitOf(card) !== view.suit && last.some((other) => addsToFourteen(card, other))))
}
