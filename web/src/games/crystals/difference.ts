// The main difference between two teams in crystals: the sources of their points, over all rounds.
import { t } from '../../client/i18n.svelte'
import type { CrystalsView } from '../../client/types'
import type { DifferenceContext } from '../gameUi'

const VALUES: Record<string, number> = { diamond: 2, heart: 1, spade: 1, club: 1 } // C21
const CLOSE = 2 // points
const KINDS = ['diamond', 'heart', 'spade', 'club', 'bonus', 'lost'] as const

type Points = Record<(typeof KINDS)[number] | 'most' | 'none', number>

/** Return each team's points by their source: `bonus` is the sum of `most` and `none`, and `lost` counts the crystals that ♣ took from the team. */
export function sources(steps: DifferenceContext<CrystalsView>['steps'], team: readonly number[]): Points[] {
  const points = team.map((): Points => ({ diamond: 0, heart: 0, spade: 0, club: 0, bonus: 0, most: 0, none: 0, lost: 0 }))
  let bonus: 'most' | 'none' | null = null
  for (const { event } of steps.flatMap(({ events }) => events)) {
    const { event: kind, seat, victim } = event
    if (kind === 'dealt') bonus = null
    if (kind === 'most') bonus = 'most' // C19: these actions follow the last trick
    if (kind === 'no_trick') bonus = 'none' // C20
    const value = VALUES[kind]
    if (value) points[team[seat]!]![bonus ?? (kind as 'diamond')] += value
    if (value && bonus) points[team[seat]!]!.bonus += value
    if (kind === 'club') points[team[victim]!]!.lost++
  }
  return points
}

export function difference({ steps, view, first, second, scores, name, other }: DifferenceContext<CrystalsView>): string {
  const [gap, all] = [scores[first]! - scores[second]!, sources(steps, view.team)]
  if (gap <= CLOSE) return t('page-game-over-close', { points: gap })
  const by = (kind: keyof Points) => (all[first]![kind] - all[second]![kind]) * (kind === 'lost' ? -1 : 1)
  const kind = KINDS.reduce((best, one) => (by(one) > by(best) ? one : best))
  if (2 * by(kind) < gap) return t('page-game-over-many')
  const [winners, others] = [all[first]![kind], all[second]![kind]]
  // Names the bonuses by their only reason, or both alike. Their points always count all of them: the others' may outweigh one kind.
  const sorts = (['most', 'none'] as const).filter((sort) => all[first]![sort] || all[second]![sort])
  const named = kind === 'bonus' && sorts.length === 1 ? sorts[0]! : kind
  if (kind === 'lost') return t('page-game-over-crystals-lost', { name, other, more: others, fewer: winners })
  return t('page-game-over-crystals-points', { kind: named, decided: by(kind) > gap ? 'yes' : 'no', name, other, more: winners, fewer: others })
}
