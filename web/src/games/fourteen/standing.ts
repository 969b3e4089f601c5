// The standing in fourteen: this hand so far, and the game including it, except if bids decide only at its end (F10).
import { part, t } from '../../client/i18n.svelte'
import type { FourteenView } from '../../client/types'
import { ranked, type StandingContext, type StandingRow } from '../gameUi'

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?standing', import: 'default' }))

const [DIAMONDS, TRICKS] = [0, 2] // values of the option `scoring` (F11)

export function standing({ view, me, name }: StandingContext<FourteenView>): StandingRow[] {
  const { totals, scoring, tricks, taken, seats, to_act } = view
  const hand = scoring === TRICKS ? tricks : taken
  const isScored = !to_act.length || (scoring !== DIAMONDS && scoring !== TRICKS) // the totals include a finished hand
  const entries = (points: readonly number[]) => ranked(points.slice(0, seats).map((number, seat) => ({ name: seat === me ? t('page-you') : name(seat), isMine: seat === me, points: number })), String)
  const label = t(scoring === TRICKS ? 'page-standing-fourteen-tricks' : 'page-standing-fourteen-hand')
  return [
    { label, entries: entries(hand) },
    { label: t('page-standing-game'), entries: entries(isScored ? totals : totals.map((total, seat) => total + hand[seat]!)) },
  ]
}
