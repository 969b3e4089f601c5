// The standing in crystals: who is ahead in this round and, as far as it can be known, in the game.
import { part, formatNumber, joinList, t } from '../../client/i18n.svelte'
import type { CrystalsView, EventInfo } from '../../client/types'
import { ranked, type StandingContext, type StandingRow } from '../gameUi'
import { SUITS, SYMBOLS } from '../../components/cards'
import { roundEvents } from './roundEvents'
import { victims } from './suitActionLabels'

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?standing', import: 'default' }))

const ALL_CRYSTALS = 235 // C2: in Supply, Vaults and Showrooms together
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

/** Return what each team gained by these events, in points. */
function gains({ view }: StandingContext<CrystalsView>, events: EventInfo[]): number[] {
  const points = view.team.map(() => 0)
  const add = (seat: number, by: number) => void (points[view.team[seat]!]! += by)
  for (const { event } of events) {
    if (event.event === 'diamond') add(event.seat, 2)
    if (event.event === 'heart' || event.event === 'spade' || event.event === 'club') add(event.seat, 1)
    if (event.event === 'club') add(event.victim, -1)
  }
  return points
}

const MAX_WITH_SUITS = 4 // with more teams there is no room for the suits on a phone in landscape, and with this many only one has a word
const LATE_CARDS = 3 // bonuses are shown only when the end of the round is near: until then they may still change

/**
 * Return the bonuses if the round ended now (C19, C20): each team's points, the suits of which it has taken the most,
 * and whether it has a player without a trick. `tied` has the suits of which nobody has the most. Return `null` if the
 * bonuses are unknown or being paid.
 */
function bonuses({ view, log }: StandingContext<CrystalsView>): { points: number[]; suits: string[]; noTrick: boolean[]; tied: string } | null {
  const events = roundEvents(view, log)
  if (!events || !sum(view.tricks) || view.over || events.some(({ event }) => event.event === 'most' || event.event === 'tie')) return null
  const points = view.team.map(() => 0)
  const suits = view.team.map(() => '')
  const noTrick = view.team.map(() => false)
  let tied = ''
  const teams = [...new Set(view.team.slice(0, view.seats))]
  let { supply } = view
  const showroom = [...view.showroom]
  SUITS.forEach((suit, k) => {
    const taken = (team: number) => view.taken[team]?.[k] ?? 0
    const most = Math.max(...teams.map(taken))
    const [winner, ...equals] = teams.filter((team) => taken(team) === most)
    if (most && equals.length) tied += SYMBOLS[suit]
    if (!most || equals.length) return
    const from = victims({ ...view, showroom }, winner!)
    const moves = suit === 'C' ? from.length : suit === 'S' ? showroom[winner!]! : supply
    if (!moves) return
    points[winner!]! += suit === 'D' ? 2 : 1
    suits[winner!] += SYMBOLS[suit]
    if (suit === 'D' || suit === 'H') supply--
    if (suit === 'H') showroom[winner!]!++
    if (suit === 'S') showroom[winner!]!--
    if (suit === 'C' && new Set(from).size === 1) points[from[0]!]!--
  })
  view.tricks.slice(0, view.seats).forEach((tricks, seat) => {
    const moved = tricks ? 0 : Math.min(2, supply)
    points[view.team[seat]!]! += 2 * moved
    if (moved) noTrick[view.team[seat]!] = true
    supply -= moved
  })
  return { points, suits, noTrick, tied }
}

export function standing(now: StandingContext<CrystalsView>): StandingRow[] {
  const { view, me, name } = now
  const teams = [...new Set(view.team.slice(0, view.seats))]
  const mine = me === null ? null : view.team[me]!
  const called = (team: number) => (view.partnership ? joinList(view.team.flatMap((one, seat) => (one === team ? [seat === me ? t('page-you') : name(seat)] : []))) : team === me ? t('page-you') : name(team))
  const entries = (of: (team: number) => number, show: (points: number) => string, change?: number[]) =>
    ranked(teams.map((team) => ({ name: called(team), isMine: team === mine, points: of(team), change: change?.[team] })), show)
  const shown = (team: number) => view.showroom[team] ?? 0
  const events = roundEvents(view, now.log) // null unless the table shows all of its actions
  const gained = events && gains(now, events)
  const ownCard = events?.findLastIndex(({ event }) => event.event === 'played' && event.seat === me) ?? -1
  const since = events && me !== null ? gains(now, events.slice(Math.max(ownCard, 0))) : undefined
  const { points: bonus, suits, noTrick, tied } = (me !== null && (view.hand[me]?.length ?? 0) <= LATE_CARDS && bonuses(now)) || {}
  const signed = (points: number) => (points > 0 ? `+${points}` : formatNumber(points, 0).replace('-', '−'))
  // All began with the same number, so in the first round every score follows from the actions.
  if (gained && mine !== null && view.round === 1) {
    const start = 2 * view.vault[mine]! + shown(mine) - gained[mine]!
    const rows: StandingRow[] = [{ label: t('page-standing-points'), entries: entries((team) => start + gained[team]!, String, since) }]
    // The player's own bonus, then the largest ones, because a small screen has no room for all.
    const due = teams.filter((team) => bonus?.[team]).sort((a, b) => Number(b === mine) - Number(a === mine) || bonus![b]! - bonus![a]!)
    // The suits and the words explain the points and their changes; the same words explain the next such points, too.
    const value = (team: number) => signed(bonus![team]!) + (due.length > MAX_WITH_SUITS ? '' : suits![team]) + (team === due.find((one) => noTrick![one]) ? ` ${t('page-standing-no-trick')}` : '')
    const paid = due.map((team) => ({ place: null, name: called(team), isMine: team === mine, value: value(team) }))
    const hasRoom = due.length + 1 < MAX_WITH_SUITS
    const tie = tied && hasRoom ? [{ place: null, name: tied, isMine: false, value: t('page-standing-tied') }] : []
    if (due.length || tie.length) rows.push({ label: t(hasRoom ? 'page-standing-bonus' : 'page-standing-bonus-short'), entries: [...paid, ...tie], isPartial: true })
    return rows
  }
  const round = gained ? { label: t('page-standing-round'), unit: t(bonus ? 'page-standing-unit-bonus' : 'page-standing-unit'), entries: entries((team) => gained[team]! + (bonus?.[team] ?? 0), signed, since) } : { label: t('page-standing-shown'), entries: entries(shown, String) }
  return [round, { label: t('page-standing-game'), ...game() }]

  function game(): Partial<StandingRow> {
    if (teams.every((team) => view.vault[team] !== null)) return { entries: entries((team) => 2 * view.vault[team]! + shown(team), String) }
    if (mine === null) return { text: t('page-standing-crystals-closed') }
    const own = 2 * view.vault[mine]! + shown(mine)
    const others = teams.filter((team) => team !== mine)
    // With two teams the average would reveal the other Vault.
    if (others.length === 1) return { text: t('page-standing-crystals-own', { own }) }
    // The total in all Vaults is public: the crystals that are neither in the Supply nor in a Showroom.
    const hidden = ALL_CRYSTALS - view.supply - sum(teams.map(shown)) - view.vault[mine]!
    return { text: t('page-standing-crystals-average', { own, average: Math.round((2 * hidden + sum(others.map(shown))) / others.length) }) }
  }
}
