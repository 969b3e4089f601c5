// The standing of crystals, as far as closed Vaults reveal it (C4).
import { joinList, part, t } from '../../client/i18n.svelte'
import type { CrystalsView } from '../../client/types'
import type { StandingContext } from '../gameUi'

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?standing', import: 'default' }))

const ALL_CRYSTALS = 235 // C2: in Supply, Vaults and Showrooms together
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

/** Return what each team has gained in this round, in points; `null` unless the table shows all of its actions (C14). Crystals move in public (C4). */
function gains({ view, log }: StandingContext<CrystalsView>): number[] | null {
  const start = log.findLastIndex(({ event }) => event.event === 'dealt' && event.round === view.round)
  if (start < 0 || !view.memory_aid) return null
  const points = view.team.map(() => 0)
  const add = (seat: number, by: number) => void (points[view.team[seat]!]! += by)
  for (const { event } of log.slice(start + 1)) {
    if (event.event === 'dealt') break
    if (event.event === 'diamond') add(event.seat, 2)
    if (event.event === 'heart' || event.event === 'spade' || event.event === 'club') add(event.seat, 1)
    if (event.event === 'club') add(event.victim, -1)
  }
  return points
}

export function standing(now: StandingContext<CrystalsView>): string {
  const { view, me, name } = now
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
  const gained = gains(now)
  const top = Math.max(...teams.map((team) => gained?.[team] ?? 0))
  const ahead = (mine === null ? teams : [mine, ...others]).filter((team) => gained?.[team] === top)
  if (ahead.length > 0 && ahead.length < teams.length) {
    const names = ahead.length > 2 ? t('page-standing-crystals-several', { number: ahead.length }) : joinList(ahead.map((team) => (team === mine ? t('page-you') : called(team))))
    const own = mine === null ? 0 : 2 * view.vault[mine]! + shown(mine)
    return mine === null ? t('page-standing-crystals-round-seen', { names }) : t('page-standing-crystals-round', { names, own })
  }
  const leader = best(shown, mine === null ? teams : [mine, ...others])
  const most = shown(leader)
  const second = shown(best(shown, teams.filter((team) => team !== leader)))
  if (mine === null) return t('page-standing-crystals-shown', { most })
  const inVault = view.vault[mine]!
  const own = 2 * inVault + shown(mine)
  if (others.length > 1) {
    // The total in all Vaults is public: the crystals that are neither in the Supply nor in a Showroom.
    const hidden = ALL_CRYSTALS - view.supply - sum(teams.map(shown)) - inVault
    return t('page-standing-crystals-average', { own, average: Math.round((2 * hidden + sum(others.map(shown))) / others.length) })
  }
  // With two players it would reveal the other Vault.
  if (most === second) return t('page-standing-crystals-you-equal', { own, most })
  return leader === mine ? t('page-standing-crystals-you-lead', { own, most, second }) : t('page-standing-crystals-you-led', { own, name: called(leader), most, second })
}
