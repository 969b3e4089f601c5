// The standing of crystals, as far as the Vaults let it be known (C4).
import { joinList, part, t } from '../../client/i18n.svelte'
import type { CrystalsView } from '../../client/types'
import type { StandingContext } from '../contract'

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?standing', import: 'default' }))

const ALL_CRYSTALS = 235 // C2: in Supply, Vaults and Showrooms together
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

export function standing({ view, me, name }: StandingContext<CrystalsView>): string {
  const teams = [...new Set(view.team.slice(0, view.seats))]
  const mine = me === null ? null : view.team[me]!
  const others = teams.filter((team) => team !== mine)
  const called = (team: number) => (view.partnership ? joinList(view.team.flatMap((one, seat) => (one === team ? [name(seat)] : []))) : name(team))
  const shown = (team: number) => view.showroom[team] ?? 0
  const best = (of: (team: number) => number, among: number[]) => among.reduce((one, other) => (of(other) > of(one) ? other : one))
  if (teams.every((team) => view.vault[team] !== null)) {
    const points = (team: number) => 2 * view.vault[team]! + shown(team)
    const leader = best(points, mine === null ? teams : [mine, ...others])
    const [most, second] = [points(leader), points(best(points, teams.filter((team) => team !== leader)))]
    if (most === second) return t('page-standing-crystals-equal', { most })
    if (leader === mine) return t('page-standing-crystals-lead', { most, second })
    return mine === null ? t('page-standing-crystals-seen', { name: called(leader), most }) : t('page-standing-crystals-led', { name: called(leader), most, own: points(mine) })
  }
  const leader = best(shown, mine === null ? teams : [mine, ...others])
  const most = shown(leader)
  const second = shown(best(shown, teams.filter((team) => team !== leader)))
  if (mine === null) return t('page-standing-crystals-shown', { most })
  const inVault = view.vault[mine]!
  const own = 2 * inVault + shown(mine)
  if (others.length > 1) {
    // What lies in all Vaults together is public: it is not in the Supply, nor in a Showroom.
    const hidden = ALL_CRYSTALS - view.supply - sum(teams.map(shown)) - inVault
    return t('page-standing-crystals-average', { own, average: Math.round((2 * hidden + sum(others.map(shown))) / others.length) })
  }
  // Of two, it would open the other Vault.
  if (most === second) return t('page-standing-crystals-you-equal', { own, most })
  return leader === mine ? t('page-standing-crystals-you-lead', { own, most, second }) : t('page-standing-crystals-you-led', { own, name: called(leader), most, second })
}
