// The standing of fourteen: totals, with what this hand has brought so far.
import { part, t } from '../../client/i18n.svelte'
import type { FourteenView } from '../../client/types'
import type { StandingContext } from '../gameUi'

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?standing', import: 'default' }))

export function standing({ view, me, name, isDealOver }: StandingContext<FourteenView>): string {
  const { totals, target } = view
  const isBid = view.scoring === 1 // F10: a hand brings nothing before its end
  const soFar = isBid || isDealOver ? null : view.scoring === 2 ? view.tricks : view.taken
  const points = totals.map((total, seat) => total + (soFar?.[seat] ?? 0)).slice(0, view.seats)
  const most = Math.max(...points)
  const leaders = points.flatMap((number, seat) => (number === most ? [seat] : []))
  const counting = soFar?.some((number) => number > 0) ? 'hand' : 'totals'
  if (leaders.length > 1) return t('page-standing-fourteen-shared', { counting, most, target })
  const leader = leaders[0]!
  const best = Math.max(...points.filter((_, seat) => seat !== leader))
  if (leader === me) return t('page-standing-fourteen-you', { counting, most, best, target })
  if (me === null) return t('page-standing-fourteen-seen', { name: name(leader), most, target })
  return t('page-standing-fourteen-led', { counting, name: name(leader), most, own: points[me]!, target })
}
