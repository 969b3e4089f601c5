// Update frames: the steps in which an update is shown. An update may contain a finished trick that its view has
// already cleared. A frame before it shows that trick long enough to read it.
import type { GameUi } from '../games/gameUi'
import type { EventInfo, TableUpdate } from '../client/types'
import { isCard } from '../components/cards'
import { EMPTY_TRICK, type Flight, type VisibleTrick, type View } from '../components/boardScene'

/** One step of the display. `last` marks the update itself, the only frame in which the player may answer. */
export interface UpdateFrame {
  message: TableUpdate
  view: View | null
  trick: VisibleTrick | null
  /** The seat that gets the cards leaving the trick in this frame; `null` if they return to their players. */
  trickWinner: number | null
  /** The events shown in this frame. */
  events: EventInfo[]
  flights: Flight[]
  summary: EventInfo[]
  hold: 'none' | 'trick' | 'summary'
  last: boolean
  /** In an earlier frame, the entry that ended the trick or deal; later ones of the message are not shown yet. */
  until?: number
}

/** Return the frames from the current one to a new update. */
export function framesOf(game: GameUi, before: UpdateFrame | null, message: TableUpdate, since: EventInfo[]): UpdateFrame[] {
  const view = message.view as View | null
  const from = before?.message
  const told = message.events.filter((item) => !from || item.n > from.n)
  const won = told.findLastIndex((item) => item.event.event === 'trick')
  const back = told.some(isUndo)
  const final: UpdateFrame = {
    message,
    view,
    trick: (view && game.tricks?.current(view)) ?? null,
    trickWinner: back ? null : ((told[won]?.event.seat as number | undefined) ?? (view && game.tricks?.last(view)?.winner) ?? null),
    events: told,
    flights: [],
    summary: [],
    hold: 'none',
    last: true,
  }
  if (!from || !view || message.n <= from.n || message.n > from.n + 8 || back) return [final]
  const flights = game.flights?.(told, view) ?? []
  const closing = hasDealEnded(game, told)
  if (won < 0 && !closing) return [{ ...final, flights }]
  // A trick is shown with its effects. The effects of the end of the deal come in the next frame.
  const end = closing ? told.findIndex((item, k) => k > won && isAfterDeal(game, item)) : -1
  const read = end < 0 ? told : told.slice(0, end)
  const early = game.flights?.(read, view).length ?? 0
  const pictures = [final]
  const until = told[won]?.n
  if (closing) {
    const view = viewBetween(game, before.view, final, told)
    pictures.unshift({ ...final, view, trick: EMPTY_TRICK, events: [], flights: flights.slice(early), summary: summary(game, since), hold: 'summary', last: false, until })
  }
  if (won >= 0 && !closing && game.questions[message.open_question?.question ?? '']?.ofTrick) return [{ ...final, trick: finishedTrick(game, before.view, told, won), flights }]
  if (won >= 0) {
    const view = viewBetween(game, before.view, final, read)
    pictures.unshift({ ...final, view, trick: finishedTrick(game, before.view, told, won), events: read, flights: flights.slice(0, early), hold: 'trick', last: false, until })
  }
  return pictures
}

/** Show the last trick and the final state in one frame, because a summary would cover the text of the lesson. */
export function withoutSummary(frames: UpdateFrame[]): UpdateFrame[] {
  const [trick, summary, ...rest] = frames
  if (trick?.hold !== 'trick' || summary?.hold !== 'summary') return frames
  return [{ ...trick, view: rest.at(-1)!.view, flights: [...trick.flights, ...summary.flights] }, ...rest]
}

export const isUndo = (told: EventInfo): boolean => told.event.event === 'undo'

/** Return whether a deal with a summary has ended. */
const hasDealEnded = (game: GameUi, told: EventInfo[]): boolean =>
  told.some(({ n, event }) => game.summary?.endEvents.includes(event.event) || (game.summary && event.event === 'dealt' && n > 0))

/** Return the effects of the end of a deal: the events that follow the last trick and its own effects, after the trick itself if the game lists it. */
function summary(game: GameUi, since: EventInfo[]): EventInfo[] {
  const tells = game.summary?.events ?? []
  const won = since.findLastIndex((item) => item.event.event === 'trick')
  const first = since.findIndex((item, k) => k > won && isAfterDeal(game, item))
  return since
    .filter((item, k) => (k === won || k >= Math.max(first, won + 1)) && tells.includes(item.event.event))
}

/** Return whether an event belongs to the end of a deal or to the next one, but not to its last trick. */
const isAfterDeal = (game: GameUi, { event }: EventInfo): boolean => event.event === 'dealt' || Boolean(game.summary?.firstEvents.includes(event.event))

/** Return the events of cards played to the trick. */
export const playedCards = (told: EventInfo[]) => told.filter((item) => item.event.event === 'played').map(({ event }) => event as { seat: number; card: string })

/** Return the trick completed last, with its leader and winner. */
function finishedTrick(game: GameUi, before: View | null, told: EventInfo[], won: number): VisibleTrick {
  const start = told.slice(0, won).findLastIndex((item) => item.event.event === 'trick')
  const cards = playedCards(told.slice(start + 1, won))
  const shown = start < 0 && before ? game.tricks?.current(before) : undefined
  return {
    cards: [...(shown?.cards ?? []), ...cards.map((one) => one.card)],
    leader: shown && shown.cards.length > 0 ? shown.leader : (cards[0]?.seat ?? null),
    winner: told[won]!.event.seat as number,
  }
}

/** Return the view during a trick or summary: with the effects of these events, but nothing newly dealt. */
function viewBetween(game: GameUi, before: View | null, { view, message }: UpdateFrame, told: EventInfo[]): View | null {
  if (!before || !game.tricks) return view
  const dealt = told.findIndex((item) => item.event.event === 'dealt')
  const to_act = dealt < 0 && !hasDealEnded(game, message.events) ? view!.to_act : []
  return { ...game.tricks.between(before, dealt < 0 ? told : told.slice(0, dealt)), to_act }
}

/** Return the expected view after your answers, in which the cards have already left the hand. */
export function viewAfter(game: GameUi | null, view: View | null, seat: number | null, answers: readonly string[]): View | null {
  if (!view?.hand || seat === null) return view
  const gone = answers
    .map((answer) => answer.split(' '))
    .filter(([question = '', card = '']) => isCard(card) && game?.questions[question]?.cards && !game.questions[question].several)
    .map(([, card]) => card)
  if (gone.length === 0) return view
  const hand = view.hand.map((held, at) => (at === seat ? (held?.filter((card) => !gone.includes(card)) ?? null) : held))
  return { ...view, hand }
}
