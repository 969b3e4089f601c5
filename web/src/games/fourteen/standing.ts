// The standing of fourteen: what this hand has brought so far, and the totals of the hands before.
import { part, t } from '../../client/i18n.svelte'
import type { FourteenView } from '../../client/types'
import { ranked, type StandingContext, type StandingRow } from '../gameUi'

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?standing', import: 'default' }))

const TRICKS = 2 // the value of the option `scoring` (F11)

export function standing({ view, me, name }: StandingContext<FourteenView>): StandingRow[] {
  const { totals, scoring, tricks, taken, seats } = view
  const entries = (points: readonly number[]) => ranked(points.slice(0, seats).map((number, seat) => ({ name: seat === me ? t('page-you') : name(seat), isMine: seat === me, points: number })), String)
  const label = t(scoring === TRICKS ? 'page-standing-fourteen-tricks' : 'page-standing-fourteen-hand')
  return [
    { label, entries: entries(scoring === TRICKS ? tricks : taken) },
    { label: t('page-standing-game'), entries: entries(totals) },
  ]
}
