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

export function directOutcome({ led, trick, ...view }: CrystalsView, card: string): TrickOutcome {
  const rank = rankNumber(card)
  if (led) return suitOf(card) === led && trick.every((one) => suitOf(one) !== led || rankNumber(one) < rank) ? 'wins' : 'loses'
  const height = rank / highestRank({ led, trick, ...view })
  return height > HIGH ? 'wins' : height <= LOW ? 'loses' : null
}

/** Return what a low lead gains if it loses, and the card that gains: the highest of its suit left, or a higher one (C12, C13). */
function gainOfLosing(view: CrystalsView, me: number, given: string) {
  const hand = view.hand[me] ?? []
  const same = hand.filter((card) => suitOf(card) === suitOf(given))
  const top = same.reduce((best, card) => (rankNumber(card) > rankNumber(best) ? card : best))
  if (same.length === 1) return hand.length > 1 && { gain: 'void', kept: '' }
  if (top === given) return null
  const gone = view.played.flatMap((cards) => cards ?? []).filter((card) => suitOf(card) === suitOf(given) && rankNumber(card) > rankNumber(top))
  const isTop = rankNumber(top) + gone.length === highestRank(view)
  return { gain: isTop ? 'top' : 'higher', kept: cardSymbols(top) }
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
  if (isLast || rankNumber(given) === highestRank(view) || others.every((suits) => suits?.includes(played))) return t('page-hint-effect-wins', { card, action: action(played) })
  if (best > 0) return t('page-hint-effect-highest', { card, action: action(played) })
  const height = rankNumber(given) / highestRank(view)
  const gained = height <= LOW && view.seats > 2 && !hasReason && gainOfLosing(view, me, given)
  if (gained) return t('page-hint-effect-low-but', { card, suit: SYMBOLS[played], gain: gained.gain, kept: gained.kept })
  if (height <= LOW) return t('page-hint-effect-low', { card, name: view.seats === 2 ? name(1 - me) : 'any' })
  return height > HIGH ? t('page-hint-effect-high', { card, action: action(played) }) : t('page-hint-effect-lead', { card, action: action(played) })
}
