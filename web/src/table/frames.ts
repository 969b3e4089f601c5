// From messages to what is shown, one picture after the other. A message may tell of a finished trick that its view has
// already cleared; the picture before it shows that trick until it can be read.
import type { Game, Laid } from '../games/contract'
import type { Message, Told } from '../net/types'
import { isCard } from '../parts/cards'
import type { Flight, Shown, View } from '../parts/scene'

/** One picture. `last` marks the one that is the message itself: only then may the player answer. */
export interface Frame {
  message: Message
  view: View | null
  trick: Shown | null
  /** Who gets the cards that leave the trick with this picture; nobody where they go back to who laid them. */
  swept: number | null
  flights: Flight[]
  summary: string[]
  hold: 'none' | 'trick' | 'summary'
  last: boolean
}

/** The pictures that lead from what is shown to a new message. */
export function frames(game: Game, before: Frame | null, message: Message, since: Told[]): Frame[] {
  const view = message.view as View | null
  const told = message.told
  const won = told.findLastIndex((item) => item.event.event === 'trick')
  const back = told.some(isUndo)
  const final: Frame = {
    message,
    view,
    trick: (view && game.tricks?.now(view)) ?? null,
    swept: back ? null : ((told[won]?.event.seat as number | undefined) ?? (view && game.tricks?.last(view)?.winner) ?? null),
    flights: [],
    summary: [],
    hold: 'none',
    last: true,
  }
  const from = before?.message
  if (!from || !view || message.n <= from.n || message.n > from.n + 8 || back) return [final]
  const flights = game.flights?.(told, view) ?? []
  const closing = closed(game, told)
  if (won < 0 && !closing) return [{ ...final, flights }]
  const complete = won < 0 ? { ...final.trick!, winner: null } : finished(game, before.view, told, won)
  const held: Frame = {
    ...final,
    view: midway(game, before.view, view, told),
    trick: complete,
    flights,
    summary: closing ? summary(game, since) : [],
    hold: closing ? 'summary' : 'trick',
    last: false,
  }
  return [held, final]
}

const isUndo = (told: Told): boolean => told.event.event === 'undo'

/** Whether a deal that is summed up has ended. */
const closed = (game: Game, told: Told[]): boolean =>
  told.some(({ n, event }) => game.summary?.ends.includes(event.event) || (game.summary && event.event === 'dealt' && n > 0))

/** What the end of a deal brought, in words: everything told after its last trick and what that trick itself moved. */
function summary(game: Game, since: Told[]): string[] {
  const { from = [], tells = [] } = game.summary ?? {}
  const won = since.findLastIndex((item) => item.event.event === 'trick')
  const after = since.slice(won + 1)
  const first = after.findIndex((item) => from.includes(item.event.event))
  return after
    .slice(Math.max(first, 0))
    .filter((item) => tells.includes(item.event.event))
    .map((item) => item.words)
}

/** The cards that were laid to the trick. */
const laid = (told: Told[]): Laid[] =>
  told.filter((item) => item.event.event === 'played').map((item) => item.event as unknown as Laid)

/** The cards of the trick that was completed last, its leader and its winner. */
function finished(game: Game, before: View | null, told: Told[], won: number): Shown {
  const start = told.slice(0, won).findLastIndex((item) => item.event.event === 'trick')
  const cards = laid(told.slice(start + 1, won))
  const shown = start < 0 && before ? game.tricks?.now(before) : undefined
  return {
    cards: [...(shown?.cards ?? []), ...cards.map((one) => one.card)],
    leader: shown && shown.cards.length > 0 ? shown.leader : (cards[0]?.seat ?? null),
    winner: told[won]!.event.seat as number,
  }
}

/** The view while a finished trick is shown: what it moved has moved, but nothing new has been dealt. */
function midway(game: Game, before: View | null, after: View, told: Told[]): View {
  if (!before || !game.tricks || !told.some((item) => item.event.event === 'dealt')) return after
  return game.tricks.meanwhile(before, after, laid(told))
}

/** The view as it will be if the server agrees: own cards pressed leave the hand at once. */
export function ahead(game: Game | null, view: View | null, seat: number | null, answers: readonly string[]): View | null {
  if (!view?.hand || seat === null) return view
  const gone = answers
    .map((answer) => answer.split(' '))
    .filter(([question = '', card = '']) => isCard(card) && game?.asks[question]?.cards && !game.asks[question].several)
    .map(([, card]) => card)
  if (gone.length === 0) return view
  const hand = view.hand.map((held, at) => (at === seat ? (held?.filter((card) => !gone.includes(card)) ?? null) : held))
  return { ...view, hand }
}

/** A trick that this step of a replay completed, or the trick that lies on the table. */
export function replayed(game: Game, before: View | null, view: View, told: Told[]): Shown | null {
  const won = told.findLastIndex((item) => item.event.event === 'trick')
  if (won < 0 || !before || !game.tricks) return game.tricks?.now(view) ?? null
  const { cards, leader } = game.tricks.now(before)
  return { cards: [...cards, ...laid(told).map((one) => one.card)], leader, winner: told[won]!.event.seat as number }
}
