// The immediate effect of an answer in fourteen, in one or two sentences (F5–F8).
import { cardSymbols, rankNumber, rankOf, SYMBOLS, suitOf } from '../../components/cards'
import { t } from '../../client/i18n.svelte'
import type { FourteenView } from '../../client/types'
import type { EffectContext, TrickOutcome } from '../gameUi'
import { addsToFourteen, highestOf, suitAfter } from './currentSuit'
import { BID, TRICKS } from './points'

const HIGH = 10 // the lowest rank worth saving
const LOW = 6
const PER_SUIT = 13
const SUITS = 4

/** Ids of hint reasons that the direct effect already gives, together with the warning that a fourteen may beat the card. */
export const includedReasons = ['hint-highest-left']

/** Return whether the last card is the highest of the current suit (F7). */
const isHighest = (trick: readonly string[], reach: number): boolean => highestOf(trick, suitAfter(trick, reach)!.suit) === trick.length - 1

export function directOutcome({ trick, match, scoring }: FourteenView, card: string): TrickOutcome {
  const rank = rankNumber(card)
  const lost = suitOf(card) === 'D' && scoring !== TRICKS ? 'gives' : 'loses'
  if (!trick.length) return rank <= LOW ? lost : null
  return isHighest([...trick, card], match + 1) ? 'wins' : lost
}

/** Return the cards that are played or in your hand. */
const knownCards = ({ played, hand }: FourteenView, me: number): string[] => [...played.flat(), ...(hand[me] ?? [])]

/** Return whether nobody else can have a higher card of the suit: each was played or is in your hand. */
function isTop(view: FourteenView, me: number, card: string): boolean {
  const known = knownCards(view, me)
  return known.filter((one) => suitOf(one) === suitOf(card) && rankNumber(one) > rankNumber(card)).length === PER_SUIT - rankNumber(card)
}

/** Return one fact that a player can check when all playable cards score about the same: why they do, or what speaks for one of them. */
export function whyEqual(view: FourteenView, me: number, cards: readonly string[]): string {
  const { trick, scoring, match, seats } = view
  const say = (is: string, card = cards[0]!) => t('page-hint-equal-fact', { is, card: cardSymbols(card), suit: SYMBOLS[suitOf(card)] })
  const isDiamond = (card: string) => suitOf(card) === 'D'
  const [held, known, pays] = [view.hand[me] ?? [], knownCards(view, me), scoring !== TRICKS]
  const here = trick.filter(isDiamond).length
  const left = PER_SUIT - known.filter(isDiamond).length + held.filter(isDiamond).length + here
  if (pays && !left) return say('gone')
  const missing = scoring === BID ? view.bid[me]! - view.taken[me]! : 1
  if (missing <= 0) return say('made')
  if (missing > left) return say('missed')
  const given = cards.filter(isDiamond).length
  if (!trick.length) {
    const tops = cards.filter((card) => isTop(view, me, card))
    return tops.length === cards.length ? say('top') : tops[0] ? say('highest-left', tops[0]) : say('beaten')
  }
  const wins = cards.filter((card) => isHighest([...trick, card], match + 1)).length
  const end = trick.length + 1 < seats ? 'open' : 'over'
  if (!wins) {
    if (pays && given) return given < cards.length ? t('page-hint-equal-diamond') : say('must-give')
    const suit = suitAfter(trick, match + 1)!.suit
    const isTurned = cards.some((card) => suitAfter([...trick, card], match + 1)!.suit !== suit)
    return isTurned ? '' : say('loses', trick[highestOf(trick, suit)])
  }
  if (wins < cards.length) return pays ? say(`${here ? 'choose' : 'bare'}-${end}`) : t('page-hint-equal-trick')
  if (end === 'over') return say('wins')
  const isSafe = (card: string) => known.filter((one) => addsToFourteen(one, card)).length === SUITS
  const safe = match ? [] : cards.filter(isSafe)
  return safe.length && safe.length < cards.length ? say('safe', safe[0]) : say('highest')
}

/** Return what a low card gains by losing, and the card that it saves: the highest of its suit, if that is high. Otherwise it keeps ♦ or lets you not follow its suit (F4). */
function gainOfLosing({ hand, scoring }: FourteenView, me: number, given: string) {
  const held = hand[me] ?? []
  const same = held.filter((card) => suitOf(card) === suitOf(given))
  const kept = same.reduce((best, card) => (rankNumber(card) > rankNumber(best) ? card : best), given)
  if (rankNumber(kept) >= HIGH) return { gain: 'saves', kept: cardSymbols(kept) }
  if (scoring !== TRICKS && suitOf(given) !== 'D' && held.some((card) => suitOf(card) === 'D')) return { gain: 'diamond', kept: '' }
  return { gain: same.length === 1 && held.length > 1 ? 'void' : 'none', kept: '' }
}

/** Return how likely a card that is the highest so far is to win the trick, when `left` players are still to play. If it is low, return what it gains by losing, unless a reason follows. */
function leadEffect(view: FourteenView, me: number, given: string, left: number, hasReason = false): string {
  const [card, suit, rank] = [cardSymbols(given), SYMBOLS[suitOf(given)], rankNumber(given)]
  if (rank === PER_SUIT) return t('page-hint-effect-king', { card })
  if (isTop(view, me, given)) return t('page-hint-effect-lead-top', { card, suit })
  if (rank > LOW || left < 2) return t('page-hint-effect-lead-high', { card, suit })
  const { gain, kept } = hasReason ? { gain: 'none', kept: '' } : gainOfLosing(view, me, given)
  return t('page-hint-effect-lead-low', { card, suit, gain, kept })
}

/** Return in a few words that a card wins so far: for a fourteen, in its suit with this `sum`. */
function briefEffect(card: string, suit: string, sum: string, isHighestLeft: boolean, end: string): string {
  return t('page-hint-effect-brief', { is: sum ? `fourteen-${end}` : end === 'over' ? 'wins' : isHighestLeft ? 'top' : 'leads', card, suit, sum })
}

export function directEffect({ view, me, question, legal, answers, hasReason, isBrief, name }: EffectContext<FourteenView>): string {
  const given = String(answers[0])
  if (question !== 'play') return t('page-hint-effect-bid', { number: given })
  const card = cardSymbols(given)
  const reach = view.match + 1
  const trick = [...view.trick, given]
  const suit = suitAfter(trick, reach)!.suit
  const wins = isHighest(trick, reach)
  const end = trick.length < view.seats ? 'open' : 'over'
  const number = trick.filter((one) => suitOf(one) === 'D').length
  const other = view.trick.slice(-reach).findLast((one) => addsToFourteen(one, given))
  if (isBrief && wins && view.trick.length) {
    const isHighestHeld = !(view.hand[me] ?? []).some((one) => suitOf(one) === suit && rankNumber(one) > rankNumber(given))
    return briefEffect(card, SYMBOLS[suit], other && suit !== view.suit ? `${rankOf(other)} + ${rankOf(given)} = 14` : '', isHighestHeld && isTop(view, me, given), end)
  }
  if (other && suit !== view.suit) return t('page-hint-effect-fourteen', { card, sum: `${rankOf(other)} + ${rankOf(given)} = 14`, suit: SYMBOLS[suit], outcome: !wins ? 'loses' : end === 'over' ? 'wins' : isTop(view, me, given) ? 'top' : 'highest' })
  if (wins && end === 'over') return view.scoring === TRICKS ? t('page-hint-effect-takes-point', { card }) : t('page-hint-effect-takes', { card, number })
  if (wins) return leadEffect(view, me, given, view.seats - trick.length, hasReason)
  if (view.scoring !== TRICKS && legal.every((one) => suitOf(one) === 'D' && !isHighest([...view.trick, one], reach))) return t('page-hint-effect-must-give', { card })
  const at = highestOf(trick, suit)
  return suitOf(given) === suit ? t('page-hint-effect-loses', { card, higher: cardSymbols(trick[at]!), name: name((view.leader! + at) % view.seats) }) : t('page-hint-effect-off', { card, suit: SYMBOLS[suit], diamond: suitOf(given) === 'D' && view.scoring !== TRICKS ? 'yes' : 'no' })
}
