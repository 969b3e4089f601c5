// The standing of mines: seven ♦ and the piles.
import { suitOf } from '../../components/cards'
import { part, t } from '../../client/i18n.svelte'
import type { MinesView } from '../../client/types'
import type { StandingContext } from '../contract'

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?standing', import: 'default' }))

export function standing({ view, me, name }: StandingContext<MinesView>): string {
  const count = (seat: number) => view.owner.filter((owner) => owner === seat).length
  const [first, second] = [count(0), count(1)]
  const [more, fewer] = [Math.max(first, second), Math.min(first, second)]
  const leader = first === second ? null : first > second ? 0 : 1
  const held = me === null ? null : (view.hand[me]?.filter((card) => suitOf(card) === 'D').length ?? null)
  if (held === null) return leader === null ? t('page-standing-mines-equal', { more }) : t('page-standing-mines-led', { name: name(leader), more, fewer })
  if (leader === null) return t('page-standing-mines-you-equal', { held, more })
  return leader === me ? t('page-standing-mines-you-lead', { held, more, fewer }) : t('page-standing-mines-you-led', { held, name: name(leader), more, fewer })
}
