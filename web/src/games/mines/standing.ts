// The standing of mines: who is ahead, in piles and ♦, from what is known. A side that is or may soon be shut in comes first (M11).
import { part, t } from '../../client/i18n.svelte'
import type { MinesView } from '../../client/types'
import { isDiamond, likelyDiamonds } from './opponentDiamonds'
import { cardsWithin, reach, worstClaim } from './pilePositions'
import type { StandingContext } from '../gameUi'

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?standing', import: 'default' }))

const FEW_PILES = 3 // in reach: the opponent may claim two piles in one turn (M4, M7)
const SHUT_IN = 1 // piles in reach
const FEW_CARDS = 12 // in hand and in reach

/** Return the warning about a seat that is or may soon be shut in; `first` and `second` are your ♦ and the opponent's. */
function warningAbout({ view, me, name }: StandingContext<MinesView>, seat: number, first = '', second = ''): string {
  const who = seat === me ? 'you' : 'other'
  const piles = reach(view.owner, seat)
  if (piles <= FEW_PILES && piles < reach(view.owner, 1 - seat)) {
    if (me === null) return t('page-standing-mines-watched', { name: name(seat), reach: piles })
    const cards = cardsWithin(view, seat)
    return piles === 0 && cards <= FEW_CARDS ? t('page-standing-mines-few', { who, name: name(seat), cards }) : t('page-standing-mines-reach', { who, name: name(seat), reach: piles })
  }
  const worst = worstClaim(view.owner, seat)
  if (me === null || piles <= FEW_PILES || !worst || worst.left > SHUT_IN) return ''
  return t('page-standing-mines-threat', { who, name: name(1 - me), pile: worst.pile + 1, first, second })
}

export function standing(now: StandingContext<MinesView>): string {
  const { view, me, name, log } = now
  const count = (seat: number) => view.owner.filter((owner) => owner === seat).length
  const isOpen = !view.over && view.owner.includes(null) // a pile is left to claim
  const hand = me === null ? null : view.hand[me]
  if (me === null || !hand) {
    if (!view.over && !isOpen) return t('page-standing-mines-none')
    const [first, second] = [count(0), count(1)]
    const [more, fewer] = [Math.max(first, second), Math.min(first, second)]
    const warns = isOpen && (warningAbout(now, 0) || warningAbout(now, 1))
    return warns || (more === fewer ? t('page-standing-mines-equal', { more }) : t('page-standing-mines-led', { name: name(first > second ? 0 : 1), more, fewer }))
  }
  const held = hand.filter(isDiamond).length
  const { least, most, isSure } = likelyDiamonds(view, me, log)
  const range = least === most ? String(least) : `${least}–${most}`
  const [mine, theirs] = [String(held), isSure ? range : t('page-standing-mines-about', { range })]
  const warns = isOpen && (warningAbout(now, me, mine, theirs) || warningAbout(now, 1 - me, mine, theirs))
  if (warns) return warns

  const [piles, others] = [count(me), count(1 - me)]
  const [byPiles, byDiamonds] = [Math.sign(piles - others), held > most ? 1 : held < least ? -1 : 0]
  const [more, fewer] = byPiles < 0 || (!byPiles && byDiamonds < 0) ? [others, piles] : [piles, others]
  if (byPiles * byDiamonds < 0) {
    const [first, second] = byDiamonds < 0 ? [theirs, mine] : [mine, theirs]
    return t('page-standing-mines-mixed', { who: byPiles > 0 ? 'you' : 'other', name: name(1 - me), more, fewer, first, second })
  }
  const ahead = Math.sign(byPiles + byDiamonds)
  const [first, second] = ahead < 0 ? [theirs, mine] : [mine, theirs]
  const text = t('page-standing-mines-ahead', { who: ahead > 0 ? 'you' : ahead < 0 ? 'other' : 'even', name: name(1 - me), more, fewer, first, second })
  return isOpen || view.over ? text : t('page-standing-mines-clubs', { standing: text })
}
