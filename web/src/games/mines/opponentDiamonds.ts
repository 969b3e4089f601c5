// The ♦ in a hidden hand.
import { t } from '../../client/i18n.svelte'
import { suitOf } from '../../components/cards'
import type { EventInfo, MinesView } from '../../client/types'

export const isDiamond = (card: unknown): boolean => typeof card === 'string' && suitOf(card) === 'D'

/** Return the least and the most ♦ that the other hand can hold, as far as its opponent can work out (M8, M10). */
export function diamondRange({ hand, hand_size, known }: MinesView, me: number): [least: number, most: number] {
  const handedOver = known[me] ?? []
  const least = handedOver.filter(isDiamond).length
  const own = hand[me]?.filter(isDiamond).length ?? 0
  return [least, Math.min(hand_size[1 - me]! - handedOver.length + least, 13 - own, 6)] // with seven the game would be over
}

export interface DiamondRange {
  least: number
  most: number
  isSure: boolean
}

export function rangeText({ least, most, isSure }: DiamondRange): string {
  const range = least === most ? String(least) : `${least}–${most}`
  return isSure ? range : t('page-mines-about', { range })
}

const MAX_CERTAIN_WIDTH = 2 // a wider range is narrowed to the likely numbers
const UNLIKELY = 0.1 // the chance of the numbers cut off at either end

/**
 * Return how many ♦ the other hand holds: the possible numbers or, if there are many, the likely ones, estimated from
 * the cards that its player dug. A player may discard any card but a ♦, so each card dug, not each card held, is as
 * likely to be a ♦ as a card in the piles.
 */
export function likelyDiamonds(view: MinesView, me: number, log: readonly EventInfo[]): DiamondRange {
  const [least, most] = diamondRange(view, me)
  if (most - least <= MAX_CERTAIN_WIDTH) return { least, most, isSure: true }
  let [dug, given] = [0, 0] // cards dug by the other player; ♦ the viewer gave, minus those received
  for (const { event } of log) {
    if (event.event === 'dug' && event.seat !== me) dug++
    if (event.event === 'gave' && isDiamond(event.card)) given += event.seat === me ? 1 : -1
  }
  const left = view.left.reduce((sum, cards) => sum + cards, 0)
  const hidden = 13 - (view.hand[me]?.filter(isDiamond).length ?? 0) - given
  const numbers = Array.from({ length: most - least + 1 }, (_, k) => least + k)
  const chances = numbers.map((number) => choose(hidden, number - given) * choose(left + dug - hidden, dug - number + given))
  const all = chances.reduce((sum, one) => sum + one, 0)
  if (!all) return { least, most, isSure: true } // the log is incomplete
  let [low, high, below, above] = [0, chances.length - 1, chances[0]!, chances.at(-1)!]
  while (below < UNLIKELY * all) below += chances[++low]!
  while (above < UNLIKELY * all) above += chances[--high]!
  return { least: numbers[low]!, most: numbers[high]!, isSure: false }
}

/** Return the number of ways to choose `k` of `n`. */
const choose = (n: number, k: number): number => (k < 0 || k > n ? 0 : Array.from({ length: k }, (_, i) => (n - i) / (i + 1)).reduce((product, one) => product * one, 1))
