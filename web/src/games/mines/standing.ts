// The standing of mines: ♦ and piles, as counted on the table; it is no forecast. A side that may soon be shut in comes first (M11).
import { part, t } from '../../client/i18n.svelte'
import type { MinesView } from '../../client/types'
import { diamondRange, expectedDiamonds, isDiamond } from './opponentDiamonds'
import { reach, worstClaim } from './pilePositions'
import type { StandingContext } from '../gameUi'

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?standing', import: 'default' }))

const FEW_PILES = 3 // in reach: the opponent may claim two piles in one turn (M4, M7)
const SHUT_IN = 1 // piles in reach

/** Return the warning about a seat that is or may soon be shut in. */
function warningAbout({ view: { owner }, me, name }: StandingContext<MinesView>, seat: number): string {
  const who = seat === me ? 'you' : 'other'
  const piles = reach(owner, seat)
  if (piles <= FEW_PILES) return t('page-standing-mines-reach', { who, name: name(seat), reach: piles })
  const worst = worstClaim(owner, seat)
  if (me === null || !worst || worst.left > SHUT_IN) return ''
  return t('page-standing-mines-threat', { who, name: name(1 - me), pile: worst.pile + 1 })
}

function warning(now: StandingContext<MinesView>): string {
  const me = now.me ?? 0
  if (!now.view.owner.includes(null)) return t('page-standing-mines-none')
  return warningAbout(now, me) || warningAbout(now, 1 - me)
}

export function standing(now: StandingContext<MinesView>): string {
  const { view, me, name, log } = now
  const count = (seat: number) => view.owner.filter((owner) => owner === seat).length
  const hand = me === null ? null : view.hand[me]
  const warns = view.over ? '' : warning(now)
  if (me === null || !hand) {
    const [first, second] = [count(0), count(1)]
    const [more, fewer] = [Math.max(first, second), Math.min(first, second)]
    return warns || (more === fewer ? t('page-standing-mines-equal', { more }) : t('page-standing-mines-led', { name: name(first > second ? 0 : 1), more, fewer }))
  }
  const [mine, theirs] = [hand.filter(isDiamond).length, expectedDiamonds(view, me, log)]
  const [piles, others] = [count(me), count(1 - me)]
  const [least, most] = diamondRange(view, me)
  const estimate = least === most ? theirs : t('page-standing-mines-about', { number: theirs })
  if (warns) return t('page-standing-mines-diamonds', { warning: warns, first: mine, second: estimate })
  const ahead = Math.sign(mine - theirs) + Math.sign(piles - others)
  if (ahead < 0) return t('page-standing-mines-you', { who: 'other', name: name(1 - me), first: estimate, second: mine, more: others, fewer: piles })
  const who = ahead > 0 ? 'you' : piles === others ? 'even' : 'close'
  return t('page-standing-mines-you', { who, name: '', first: mine, second: estimate, more: piles, fewer: others })
}
