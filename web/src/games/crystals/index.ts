// The client's description of crystals.
import { SUITS, SYMBOLS, suitOf } from '../../components/cards'
import type { CrystalsView, EventInfo } from '../../client/types'
import type { Flight } from '../../components/boardScene'
import type { GameUi, PromptContext } from '../gameUi'
import { ACTIONS, canMove } from './suitActionLabels'
import { dealtCards, trickUi } from '../tricks'
import CrystalsBoard from './CrystalsBoard.svelte'
import { t } from '../../client/i18n.svelte'

/** Return the crystals that moved, in order. */
function flights(events: readonly EventInfo[], view: CrystalsView): Flight[] {
  const all: Flight[] = []
  const at = (kind: string, seat: number) => `${kind}-${view.team[seat] ?? seat}`
  events.forEach(({ n, event }, index) => {
    const { seat, victim } = event
    const key = `${n}.${index}.${event.event}`
    if (event.event === 'diamond') all.push({ key, from: 'supply', to: at('vault', seat) })
    if (event.event === 'heart') all.push({ key, from: 'supply', to: at('showroom', seat) })
    if (event.event === 'spade') all.push({ key, from: at('showroom', seat), to: at('vault', seat) })
    if (event.event === 'club') all.push({ key, from: at('showroom', victim), to: at('showroom', seat) })
  })
  return all
}

/** Return what an event changes other than the cards: crystals, thief, counts. Partners share all of these (C23). */
function applyEvent(view: CrystalsView, { event, seat, victim }: EventInfo['event']): Partial<CrystalsView> {
  const { supply, showroom, vault, taken, team, trick } = view
  const ofTeam = <T>(list: T[], seat: number, change: (one: T) => T) => list.map((one, at) => (team[at] === team[seat] ? change(one) : one))
  const put = (list: number[], by: number, to: number = seat) => ofTeam(list, to, (points) => points + by)
  const vaulted = () => ofTeam(vault, seat, (points) => (points === null ? null : points + 1))
  if (event === 'diamond') return { supply: supply - 1, vault: vaulted() }
  if (event === 'heart') return { supply: supply - 1, showroom: put(showroom, 1) }
  if (event === 'spade') return { showroom: put(showroom, -1), vault: vaulted() }
  if (event === 'club') return { showroom: put(put(showroom, -1, victim), 1) }
  if (event === 'thief') return { thief_at: seat }
  if (event !== 'trick') return {}
  const cards = (k: number) => trick.filter((card) => suitOf(card) === SUITS[k]).length
  return { led: null, taken: ofTeam(taken, seat, (row) => row.map((number, k) => (number === null ? null : number + cards(k)))) }
}

function asksToPass({ view, me, name }: PromptContext<CrystalsView>): string {
  const from = view.passes_to.indexOf(me) // C9, C23
  return t('page-crystals-ask-pass', { number: view.passing, to: name(view.passes_to[me] ?? me), from: name(from) })
}

/** Return why the question is asked: whether to follow suit, and what the trick or the card brings (C12, C13). */
function asksToPlay({ view, me, hand }: PromptContext<CrystalsView>): string {
  const { led } = view
  if (!led) return t(hand.length === 1 ? 'page-ask-last-card' : 'page-crystals-ask-lead')
  const suit = SYMBOLS[led]
  const held = hand.map(suitOf)
  if (held.includes(led)) return t('page-crystals-ask-follow', { suit, action: t(canMove(view, me, led) ? ACTIONS[led] : 'page-crystals-no-action') })
  if (held.length === 1) return t('page-ask-last-void', { suit })
  const idle = held.find((one) => !canMove(view, me, one)) // C3
  return idle ? t('page-crystals-ask-idle', { suit, idle: SYMBOLS[idle] }) : t('page-crystals-ask-void', { suit })
}

/** Explain the dealer's sign after the cut (C6). */
const remarkOnDealer = ({ n, event }: EventInfo, log: readonly EventInfo[]): string =>
  event.event === 'dealt' && log.some((told) => told.n === n && told.event.event === 'cut') ? ` ${t('page-crystals-dealer')}` : ''

const crystals: GameUi<CrystalsView> = {
  Board: CrystalsBoard,
  remark: remarkOnDealer,
  help: () => import('./CrystalsHelp.svelte'),
  pad: () => import('./CrystalsScorePad.svelte'),
  questions: {
    count: { asks: () => t('page-crystals-ask-count'), numbers: { label: (one) => t('page-crystals-pass', { number: one }) } },
    pass: {
      asks: asksToPass,
      cards: true,
      several: { missing: (view, seat) => view.passing - (view.chosen[seat]?.length ?? 0) },
      simultaneous: true,
    },
    play: { asks: asksToPlay, cards: true, trick: true },
    victim: { asks: ({ view }) => t('page-crystals-ask-victim', { bonus: Number(view.stage > 2) }), places: true, ofTrick: true },
  },
  answers: {},
  showsSuitActions: true,
  handSize: dealtCards,
  promised: (view, seat) => view.chosen[seat] ?? [],
  tricks: trickUi(applyEvent),
  flights,
  dealLabel: 'page-crystals-round',
  summary: {
    title: (view) => t('page-crystals-round-over', { round: view?.round ?? 0 }),
    endEvents: ['score'],
    firstEvents: ['most', 'tie'],
    events: ['most', 'tie', 'no_trick', 'diamond', 'heart', 'spade', 'club', 'nothing'],
    perPlayer: ['no_trick'],
    points: { diamond: 2, heart: 1, spade: 1, club: 1 }, // C21
  },
  scores: {
    title: 'page-game-over-points',
    Table: () => import('./CrystalsFinalScores.svelte'),
    curve: {
      title: 'page-crystals-rounds',
      scores: (view) => view.team.map((team) => 2 * (view.vault[team] ?? 0) + (view.showroom[team] ?? 0)),
      stretch: (view) => view.deals,
    },
  },
  coach: () => import('./coach'),
  directEffect: () => import('./directEffect'),
  difference: () => import('./difference'),
  standing: () => import('./standing'),
}
export default crystals
