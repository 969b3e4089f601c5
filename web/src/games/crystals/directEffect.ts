// The immediate effect of an answer in crystals, in one sentence (C9, C12, C13, C15–C18).
import { cardSymbols, rankNumber, SYMBOLS, suitOf } from '../../components/cards'
import { joinList, t } from '../../client/i18n.svelte'
import type { CrystalsView, Suit } from '../../client/types'
import type { EffectContext, TrickOutcome } from '../gameUi'
import { canMove, victims } from './suitActionLabels'

/** C1, C24 */
const highestRank = ({ perfect, seats }: CrystalsView) => (perfect ? [8, 9, 13, 15][seats - 2]! : 15)
const HIGH = 0.8 // share of the highest rank
const LOW = 0.5
/** A lead loses more often than it wins from this many higher cards on; against one opponent only its rank is judged. */
const MANY_HIGHER = 3

/** Return how many higher cards of its suit the others may hold, and the highest of them. */
function higherLeft(view: CrystalsView, me: number, card: string): { number: number; top: string } {
  const seen = [...(view.hand[me] ?? []), ...view.played.flatMap((cards) => cards ?? [])]
  const ranks = Array.from({ length: highestRank(view) - rankNumber(card) }, (_, k) => rankNumber(card) + 1 + k)
  const left = ranks.map((rank) => suitOf(card) + rank).filter((one) => !seen.includes(one))
  return { number: left.length, top: left.at(-1) ?? '' }
}

/** Return whether a lead likely wins, may win or likely loses. In samples it won 70, 50 and 27 of 100 tricks with one, two and three higher cards left. */
function leadOutcome(view: CrystalsView, me: number, card: string): TrickOutcome {
  const height = rankNumber(card) / highestRank(view)
  if (view.seats === 2) return height > HIGH ? 'wins' : height <= LOW ? 'loses' : null
  const { number } = higherLeft(view, me, card)
  return number < 2 ? 'wins' : number < MANY_HIGHER ? null : 'loses'
}

/** Return whether a card that is the highest so far likely loses: several players follow, who may hold many higher cards. */
function isLikelyBeaten(view: CrystalsView, me: number, card: string): boolean {
  const playersLeft = (view.two_cards ? 4 : view.seats) - view.trick.length - 1
  return playersLeft > 1 && higherLeft(view, me, card).number >= MANY_HIGHER
}

export function directOutcome(view: CrystalsView, card: string): TrickOutcome {
  const { led, trick } = view
  const me = view.hand.findIndex((hand) => hand?.includes(card))
  if (!led) return leadOutcome(view, me, card)
  const isHighest = suitOf(card) === led && trick.every((one) => suitOf(one) !== led || rankNumber(one) < rankNumber(card))
  return isHighest && !isLikelyBeaten(view, me, card) ? 'wins' : 'loses'
}

/** Return why cards all score about the same, as far as a player can see. */
export function whyEqual(view: CrystalsView, _me: number, cards: readonly string[]): string {
  const { led, trick } = view
  const say = (is: string, card = '') => t('page-hint-equal-fact', { is, card: cardSymbols(card), suit: '' })
  if (led && suitOf(cards[0]!) !== led) return say('acts')
  const outcomes = new Set(cards.map((card) => directOutcome(view, card)))
  if (outcomes.size > 1) return t('page-hint-equal-trick')
  const [outcome] = outcomes
  if (!led) return outcome === 'loses' ? say('seldom') : ''
  const best = trick.filter((card) => suitOf(card) === led).reduce((one, card) => (rankNumber(card) > rankNumber(one) ? card : one))
  if (outcome === 'loses') return say('loses', best)
  return say(trick.length + 1 === (view.two_cards ? 4 : view.seats) ? 'wins' : 'highest')
}

/** Return what a low lead gains if it loses, and the card that gains: the highest of its suit left, or a higher one (C12, C13). */
function gainOfLosing(view: CrystalsView, me: number, given: string) {
  const hand = view.hand[me] ?? []
  const same = hand.filter((card) => suitOf(card) === suitOf(given))
  const top = same.reduce((best, card) => (rankNumber(card) > rankNumber(best) ? card : best))
  if (same.length === 1) return hand.length > 1 && { gain: 'void', kept: '' }
  if (top === given) return null
  return { gain: higherLeft(view, me, top).number ? 'higher' : 'top', kept: cardSymbols(top) }
}

export function directEffect({ view, me, question, answers, hasReason, name }: EffectContext<CrystalsView>): string {
  const given = String(answers[0])
  if (question === 'count') return t('page-hint-effect-count', { number: Number(given) })
  if (question === 'victim') return t('page-hint-effect-victim', { name: name(Number(given)), points: view.showroom[Number(given)] ?? 0 })
  if (question === 'pass') return t('page-hint-effect-pass', { number: answers.length, cards: joinList(answers.map((one) => cardSymbols(String(one)))), name: name(view.passes_to[me]!) })
  const played = suitOf(given)
  const card = cardSymbols(given)
  const action = (suit: Suit) => (canMove(view, me, suit) ? suit : 'none')
  if (view.led && played !== view.led) {
    const [victim, ...others] = played === 'C' ? new Set(victims(view, me)) : []
    return victim !== undefined && !others.length ? t('page-hint-effect-take', { card, name: name(victim) }) : t('page-hint-effect-now', { card, action: action(played) })
  }
  const best = Math.max(0, ...view.trick.filter((one) => suitOf(one) === played).map(rankNumber))
  const isLast = view.trick.length + 1 === (view.two_cards ? 4 : view.seats)
  const bestAt = view.trick.findIndex((one) => suitOf(one) === played && rankNumber(one) === best)
  if (rankNumber(given) < best && (view.leader! + bestAt) % view.seats === me) return t('page-hint-effect-own', { card, suit: SYMBOLS[played] }) // C22
  if (rankNumber(given) < best) return t('page-hint-effect-loses', { card, higher: cardSymbols(view.trick[bestAt]!), name: name((view.leader! + bestAt) % view.seats) })
  const others = view.void.filter((_, seat) => seat < view.seats && seat !== me)
  const { number, top } = higherLeft(view, me, given)
  if (isLast || !number || others.every((suits) => suits?.includes(played))) return t('page-hint-effect-wins', { card, action: action(played) })
  if (best > 0 && isLikelyBeaten(view, me, given)) return t('page-hint-effect-low-higher', { card, suit: SYMBOLS[played], number })
  if (best > 0) return t('page-hint-effect-highest', { card, action: action(played) })
  const likely = leadOutcome(view, me, given)
  if (likely === 'loses') {
    const gained = view.seats > 2 && !hasReason && gainOfLosing(view, me, given)
    if (gained) return t('page-hint-effect-low-but', { card, suit: SYMBOLS[played], gain: gained.gain, kept: gained.kept })
    return view.seats === 2 ? t('page-hint-effect-low', { card, name: name(1 - me) }) : t('page-hint-effect-low-higher', { card, suit: SYMBOLS[played], number })
  }
  if (likely === 'wins' && number === 1) return t('page-hint-effect-one-higher', { card, higher: cardSymbols(top), action: action(played) })
  return t(likely === 'wins' ? 'page-hint-effect-high' : 'page-hint-effect-lead', { card, action: action(played) })
}
