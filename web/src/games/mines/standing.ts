// The standing of mines: ♦ and piles. A player with more of one and not less of the other leads.
import { part, t } from '../../client/i18n.svelte'
import type { MinesView } from '../../client/types'
import { diamondRange, expectedDiamonds, isDiamond } from './opponentDiamonds'
import type { StandingContext } from '../gameUi'

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?standing', import: 'default' }))

export function standing({ view, me, name, log }: StandingContext<MinesView>): string {
  const count = (seat: number) => view.owner.filter((owner) => owner === seat).length
  const hand = me === null ? null : view.hand[me]
  if (me === null || !hand) {
    const [first, second] = [count(0), count(1)]
    const [more, fewer] = [Math.max(first, second), Math.min(first, second)]
    return more === fewer ? t('page-standing-mines-equal', { more }) : t('page-standing-mines-led', { name: name(first > second ? 0 : 1), more, fewer })
  }
  const [mine, theirs] = [hand.filter(isDiamond).length, expectedDiamonds(view, me, log)]
  const [piles, others] = [count(me), count(1 - me)]
  const [least, most] = diamondRange(view, me)
  const estimate = least === most ? theirs : t('page-standing-mines-about', { number: theirs })
  const ahead = Math.sign(mine - theirs) + Math.sign(piles - others)
  if (ahead < 0) return t('page-standing-mines-you', { who: 'other', name: name(1 - me), first: estimate, second: mine, more: others, fewer: piles })
  const who = ahead > 0 ? 'you' : piles === others ? 'even' : 'close'
  return t('page-standing-mines-you', { who, name: '', first: mine, second: estimate, more: piles, fewer: others })
}
