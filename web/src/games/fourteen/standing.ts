// The standing in fourteen: everyone's points, with those of the hand being played.
import { part, t } from '../../client/i18n.svelte'
import type { FourteenView } from '../../client/types'
import { ranked, type StandingContext, type StandingRow } from '../gameUi'
import { pointsNow } from './points'

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?standing', import: 'default' }))

export function standing({ view, me, name }: StandingContext<FourteenView>): StandingRow[] {
  const entries = pointsNow(view).map((points, seat) => ({ name: seat === me ? t('page-you') : name(seat), isMine: seat === me, points }))
  return [{ label: t('page-standing-points'), entries: ranked(entries, String) }]
}
