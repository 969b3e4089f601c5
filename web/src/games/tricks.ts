// Common parts of trick-taking games.
import type { EventInfo } from '../client/types'
import { EMPTY_TRICK, type View } from '../components/boardScene'
import type { TrickUi } from './gameUi'

interface TrickView extends View {
  hand: (string[] | null)[]
  leader: number | null
  trick: string[]
  last_trick: string[]
  last_leader: number | null
  last_winner: number | null
  played: (string[] | null)[]
  tricks: number[]
}

type Event = EventInfo['event']

/** Return a copy of a list with one element changed. */
export const replaceAt = <T>(list: readonly T[], at: number, change: (one: T) => T): T[] =>
  list.map((one, k) => (k === at ? change(one) : one))

/** Apply a played card. */
function playCard(view: TrickView, { seat, card }: Event): Partial<TrickView> {
  return {
    hand: replaceAt(view.hand, seat, (cards) => cards?.filter((one) => one !== card) ?? null),
    played: replaceAt(view.played, seat, (cards) => cards && [...cards, card]),
    leader: view.trick.length > 0 ? view.leader : seat,
    trick: [...view.trick, card],
  }
}

/** Apply a won trick. */
const winTrick = (view: TrickView, { seat }: Event): Partial<TrickView> => ({
  tricks: replaceAt(view.tricks, seat, (number) => number + 1),
  trick: [],
  last_trick: view.trick,
  last_leader: view.leader,
  last_winner: seat,
})

/** Return the trick display of a game; `applyEvent` returns what else an event changes in its view. */
export const trickUi = <V extends TrickView>(applyEvent: (view: V, event: Event) => Partial<V>): TrickUi<V> => ({
  current: (view) => ({ cards: view.trick, leader: view.leader, winner: null }),
  last: (view) =>
    view.last_trick.length > 0
      ? { ...EMPTY_TRICK, cards: view.last_trick, leader: view.last_leader, winner: view.last_winner }
      : null,
  between: (before, events) =>
    events.reduce<V>(
      (view, { event }) => ({
        ...view,
        ...applyEvent(view, event),
        ...(event.event === 'played' ? playCard(view, event) : event.event === 'trick' ? winTrick(view, event) : {}),
      }),
      { ...before, to_act: [] },
    ),
})

/** Return how many cards a seat was dealt: held plus played, if the table counts them (C14). */
export function dealtCards(view: TrickView, seat: number): number | null {
  const played = view.played[seat]
  return played ? (view.hand[seat]?.length ?? 0) + played.length : null
}
