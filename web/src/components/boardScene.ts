// The visible state of a table, independent of the game: view, trick, seats.
import type { Snippet } from 'svelte'
import type { EventInfo, SeatInfo } from '../client/types'
import { t } from '../client/i18n.svelte'

/** The fields that all games' views share. */
export interface View {
  seats: number
  /** The seats to act. */
  to_act: number[]
  question: string | null
  deals: number
  over: boolean
  /** The team of each seat, identified by its lowest seat. */
  team: number[]
  hand?: (string[] | null)[]
}

/** The trick on the table, with cards in order of play; `winner` is set once it is complete. */
export interface VisibleTrick {
  cards: string[]
  leader: number | null
  winner: number | null
}

/** The input of a board: view, trick, your card on its way to it, players, and the viewer's seat. */
export interface BoardScene<V extends View = View> {
  view: V
  trick: VisibleTrick
  playedCard: string | null
  places: SeatInfo[]
  me: number | null
  /** True if the viewer follows this seat's view without holding the seat. */
  watching?: boolean
  /** The seat that gets the cards leaving the trick now; `null` if they return to their players. */
  trickWinner?: number | null
  /** The events so far that may still be seen. */
  log?: readonly EventInfo[]
  /** The clock of a seat, if the table has clocks. */
  clock?: Snippet<[seat: number]> | null
  /** Called when another person's seat is pressed. */
  onSeatPress?: (seat: number) => void
}

export const EMPTY_TRICK: VisibleTrick = { cards: [], leader: null, winner: null }

export const nameOf = (places: SeatInfo[] | undefined, seat: number): string => places?.[seat]?.name || t('page-seat', { number: seat + 1 })

/** An object that moves between two spots of the table: `supply`, `vault-2`, `showroom-0`. */
export interface Flight {
  key: string
  from: string
  to: string
}
