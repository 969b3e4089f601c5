// What games of tricks share.
import { NOTHING, type View } from '../parts/scene'
import type { Tricks } from './contract'

interface TrickView extends View {
  hand: (string[] | null)[]
  leader: number | null
  trick: string[]
  last_trick: string[]
  last_leader: number | null
  last_winner: number | null
  played: (string[] | null)[]
}

/** `moved` names the fields that the end of a deal changes, besides the cards. */
export const tricks = <V extends TrickView>(moved: (keyof V)[]): Tricks<V> => ({
  now: (view) => ({ cards: view.trick, leader: view.leader, winner: null }),
  last: (view) =>
    view.last_trick.length > 0
      ? { ...NOTHING, cards: view.last_trick, leader: view.last_leader, winner: view.last_winner }
      : null,
  meanwhile(before, after, laid) {
    const gone = new Set(laid.map((one) => one.card))
    const hand = before.hand.map((cards) => cards?.filter((card) => !gone.has(card)) ?? null)
    const played = before.played.map(
      (cards, seat) => cards && [...cards, ...laid.filter((one) => one.seat === seat).map((one) => one.card)],
    )
    const changed = Object.fromEntries(moved.map((name) => [name, after[name]]))
    return { ...before, hand, played, trick: [], to_act: [], ...changed } as V
  },
})

/** How many cards a seat was dealt: those it holds and those it has played, where the table counts them (C14). */
export function dealt(view: TrickView, seat: number): number | null {
  const played = view.played[seat]
  return played ? (view.hand[seat]?.length ?? 0) + played.length : null
}
