// A short name for all cards that a hint calls about equal, by what distinguishes them from the worse ones.
import { rankNumber, rankOf, SUITS, suitOf } from '../components/cards'
import type { TrickOutcome } from '../games/gameUi'
import type { Suit } from '../client/types'

const MAX_WORSE = 2 // up to this many worse cards are named instead
const MAX_SMALL_GAP = 0.5 // points; worse cards beyond it may be called clearly worse
const CLEAR_STEP = 0.2 // points between the cards called clearly worse and the others, at least

/** A playable card: whether it is about as good as the best, how much worse it is otherwise, and its outcome in the trick. */
export interface ComparedCard {
  card: string
  isGood: boolean
  gap: number
  outcome: TrickOutcome | null
}

/** The name of a set: those that win or lose the trick so far, those of a suit or of any other, those of low or high rank; or all cards but the `worse` ones. */
export interface EqualSet {
  is: 'winning' | 'losing' | 'nearly' | 'suit' | 'without' | 'low' | 'high' | 'low-without' | 'high-without'
  worse: string[]
  suit?: Suit
  rank?: string
}

const ranksOf = (cards: string[]) => cards.map(rankNumber)

/** Return the name of a set of low or high ranks: the last of them, unless the others overlap it. */
function rankSet(good: string[], bad: string[]): Pick<EqualSet, 'is' | 'rank'> | null {
  const [highest, lowest] = [Math.max(...ranksOf(good)), Math.min(...ranksOf(good))]
  const named = (rank: number) => rankOf(good.find((card) => rankNumber(card) === rank)!)
  if (highest < Math.min(...ranksOf(bad))) return { is: 'low', rank: named(highest) }
  return lowest > Math.max(...ranksOf(bad)) ? { is: 'high', rank: named(lowest) } : null
}

/** Return the suit that all worse cards and no others have, or the few worse cards. */
function worseSet(good: string[], bad: string[]): EqualSet | null {
  const suit = SUITS.find((one) => bad.every((card) => suitOf(card) === one) && !good.some((card) => suitOf(card) === one))
  if (suit && bad.length > 1) return { is: 'without', worse: [], suit }
  return bad.length <= MAX_WORSE && bad.length < good.length ? { is: 'nearly', worse: bad } : null
}

/** Return the name of all cards that are about as good as the best; `null` if nothing that a player can see distinguishes them. */
export function equalSet(compared: readonly ComparedCard[]): EqualSet | null {
  const [good, bad] = [true, false].map((isGood) => compared.filter((one) => one.isGood === isGood).map(({ card }) => card)) as [string[], string[]]
  if (good.length < 2 || !bad.length) return null
  const wins = ({ outcome }: ComparedCard) => outcome === 'wins'
  if (compared.every((one) => wins(one) === one.isGood)) return { is: 'winning', worse: [] }
  const found = worseSet(good, bad)
  if (found) return found
  const suit = SUITS.find((one) => compared.every(({ card, isGood }) => (suitOf(card) === one) === isGood))
  if (suit) return { is: 'suit', worse: [], suit }
  if (compared.every((one) => one.outcome && wins(one) !== one.isGood)) return { is: 'losing', worse: [] }
  const byRank = rankSet(good, bad)
  if (byRank) return { ...byRank, worse: [] }
  for (const suit of SUITS) {
    const others = bad.filter((card) => suitOf(card) !== suit)
    const named = others.length && others.length < bad.length && !good.some((card) => suitOf(card) === suit) ? rankSet(good, others) : null
    if (named) return { is: `${named.is as 'low' | 'high'}-without`, worse: [], suit, rank: named.rank }
  }
  return null
}

/** Return the name of the cards that are clearly worse, if the others are only a little worse than the best. */
export function clearlyWorse(compared: readonly ComparedCard[]): EqualSet | null {
  const bad = compared.filter(({ isGood }) => !isGood)
  for (const { gap } of [...bad].sort((a, b) => a.gap - b.gap)) {
    const [near, far] = [bad.filter((one) => one.gap < gap), bad.filter((one) => one.gap >= gap)]
    const most = Math.max(...near.map((one) => one.gap))
    if (!near.length || most > MAX_SMALL_GAP || gap < most + CLEAR_STEP) continue
    const cards = (some: ComparedCard[]) => some.map(({ card }) => card)
    const found = worseSet(cards(compared.filter((one) => !far.includes(one))), cards(far))
    if (found) return found
  }
  return null
}
