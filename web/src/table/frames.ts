// From messages to what is shown, one picture after the other. A message may tell of a finished trick that its view has
// already cleared; the picture before it shows that trick until it can be read.
import type { CrystalsView, FourteenView, Message, MinesView, Place, Told } from '../net/types'

export type AnyView = CrystalsView | FourteenView | MinesView
export type TrickView = CrystalsView | FourteenView

/** The trick on the table: in crystals and fourteen, the cards in order; `winner` once it is complete. */
export interface Shown {
  cards: string[]
  leader: number | null
  winner: number | null
}

/** What a table draws: the view, the trick as it is shown, the own card on its way there, who sits where, and who looks. */
export interface Scene<View = AnyView> {
  view: View
  shown: Shown
  played: string | null
  places: Place[]
  me: number | null
}

export const NOTHING: Shown = { cards: [], leader: null, winner: null }

export const nameOf = (places: Place[] | undefined, seat: number): string => places?.[seat]?.name ?? `Seat ${seat + 1}`

/** A crystal on its way, between two spots of the table: `supply`, `vault-2`, `showroom-0`. */
export interface Flight {
  key: string
  from: string
  to: string
}

/** One picture. `last` marks the one that is the message itself: only then may the player answer. */
export interface Frame {
  message: Message
  view: AnyView | null
  trick: Shown | null
  flights: Flight[]
  summary: string[]
  hold: 'none' | 'trick' | 'summary'
  last: boolean
}

const isTricks = (view: AnyView | null): view is TrickView => view !== null && 'trick' in view

/** The pictures that lead from what is shown to a new message. */
export function frames(before: Frame | null, message: Message, since: Told[]): Frame[] {
  const view = message.view as AnyView | null
  const final: Frame = {
    message,
    view,
    trick: isTricks(view) ? { cards: view.trick, leader: view.leader, winner: null } : null,
    flights: [],
    summary: [],
    hold: 'none',
    last: true,
  }
  const told = message.told
  const from = before?.message
  if (!from || !view || message.n <= from.n || message.n > from.n + 8 || told.some(isUndo)) return [final]
  const flights = crystals(told, view)
  const won = told.findLastIndex((item) => item.event.event === 'trick')
  const closing = closed(told)
  if (won < 0 && !closing) return [{ ...final, flights }]
  const complete = won < 0 ? { ...final.trick!, winner: null } : finished(before, told, won)
  const held: Frame = {
    ...final,
    view: midway(before.view, view, told),
    trick: complete,
    flights,
    summary: closing ? summary(since) : [],
    hold: closing ? 'summary' : 'trick',
    last: false,
  }
  return [held, final]
}

const isUndo = (told: Told): boolean => told.event.event === 'undo'

/** Whether a round or a hand has ended. */
const closed = (told: Told[]): boolean =>
  told.some((item) => ['score', 'scored'].includes(item.event.event) || (item.event.event === 'dealt' && item.n > 0))

const SUMMARY = ['most', 'tie', 'no_trick', 'diamond', 'heart', 'spade', 'club', 'nothing', 'scored', 'again', 'score']

/** What the end of a round or hand brought, in words: everything told after its last trick and that trick's own action. */
function summary(since: Told[]): string[] {
  const won = since.findLastIndex((item) => item.event.event === 'trick')
  const after = since.slice(won + 1)
  const first = after.findIndex((item) => ['most', 'tie', 'scored'].includes(item.event.event))
  return after
    .slice(Math.max(first, 0))
    .filter((item) => SUMMARY.includes(item.event.event))
    .map((item) => item.words)
}

/** The cards of the trick that was completed last, its leader and its winner. */
function finished(before: Frame | null, told: Told[], won: number): Shown {
  const start = told.slice(0, won).findLastIndex((item) => item.event.event === 'trick')
  const laid = told.slice(start + 1, won).filter((item) => item.event.event === 'played')
  const shown = start < 0 && isTricks(before?.view ?? null) ? (before!.view as TrickView) : null
  const cards = [...(shown?.trick ?? []), ...laid.map((item) => item.event.card as string)]
  const leader = shown && shown.trick.length > 0 ? shown.leader : (laid[0]?.event.seat as number)
  return { cards, leader, winner: told[won]!.event.seat as number }
}

/** The view while a finished trick is shown: crystals have moved, but nothing new has been dealt. */
function midway(before: AnyView | null, after: AnyView, told: Told[]): AnyView {
  if (!isTricks(before) || !told.some((item) => item.event.event === 'dealt')) return after
  const laid = new Set(told.filter((item) => item.event.event === 'played').map((item) => item.event.card as string))
  const hand = before.hand.map((cards) => cards?.filter((card) => !laid.has(card)) ?? null)
  const played = before.played.map(
    (cards, seat) =>
      cards && [
        ...cards,
        ...told.filter((item) => item.event.event === 'played' && item.event.seat === seat).map((item) => item.event.card as string),
      ],
  )
  const kept = { ...before, hand, played, trick: [], to_act: [], totals: 'totals' in after ? after.totals : undefined }
  if (!('supply' in after)) return kept as AnyView
  const { supply, vault, showroom, thief_at } = after
  return { ...kept, supply, vault, showroom, thief_at } as AnyView
}

/** The crystals that moved, in order. */
function crystals(told: Told[], view: AnyView): Flight[] {
  const flights: Flight[] = []
  const at = (kind: string, seat: number) => `${kind}-${view.team[seat] ?? seat}`
  told.forEach(({ n, event }, index) => {
    const key = `${n}.${index}.${event.event}`
    if (event.event === 'diamond') flights.push({ key, from: 'supply', to: at('vault', event.seat) })
    if (event.event === 'heart') flights.push({ key, from: 'supply', to: at('showroom', event.seat) })
    if (event.event === 'spade') flights.push({ key, from: at('showroom', event.seat), to: at('vault', event.seat) })
    if (event.event === 'club')
      flights.push({ key, from: at('showroom', event.victim), to: at('showroom', event.seat) })
  })
  return flights
}

/** The view as it will be if the server agrees: own cards pressed leave the hand at once. */
export function ahead(view: AnyView | null, seat: number | null, answers: readonly string[]): AnyView | null {
  if (!view || seat === null || answers.length === 0) return view
  const cards = answers
    .map((answer) => answer.split(' '))
    .filter(([question, card]) => question !== 'pass' && /^[DHSC]/.test(card ?? ''))
  if (cards.length === 0) return view
  const gone = new Set(cards.map(([, card]) => card))
  const hand = view.hand.map((held, at) => (at === seat ? (held?.filter((card) => !gone.has(card)) ?? null) : held))
  return { ...view, hand } as AnyView
}

/** A trick that this step of a replay completed, or the trick that lies on the table. */
export function replayed(before: AnyView | null, view: AnyView, told: Told[]): Shown | null {
  if (!isTricks(view)) return null
  const won = told.findLastIndex((item) => item.event.event === 'trick')
  if (won < 0 || !isTricks(before)) return { cards: view.trick, leader: view.leader, winner: null }
  const laid = told.filter((item) => item.event.event === 'played').map((item) => item.event.card as string)
  return { cards: [...before.trick, ...laid], leader: before.leader, winner: told[won]!.event.seat as number }
}
