// What a table shows, independent of the game: view, trick, seats.
import type { Snippet } from 'svelte'
import type { SeatInfo } from '../client/types'
import { t } from '../client/i18n.svelte'

/** What the views of all games have. */
export interface View {
  seats: number
  /** The seats that owe an answer. */
  to_act: number[]
  question: string | null
  deals: number
  over: boolean
  /** The team of each seat, by its lowest seat. */
  team: number[]
  hand?: (string[] | null)[]
}

/** The trick on the table, its cards in order; `winner` once it is complete. */
export interface VisibleTrick {
  cards: string[]
  leader: number | null
  winner: number | null
}

/** What a table draws: the view, the trick as it is shown, the own card on its way there, who sits where, and who looks. */
export interface Scene<V extends View = View> {
  view: V
  trick: VisibleTrick
  playedCard: string | null
  places: SeatInfo[]
  me: number | null
  /** Whether somebody looks from that seat without sitting there. */
  watching?: boolean
  /** Who gets the cards that leave the trick now; nobody where they go back to who laid them. */
  trickWinner?: number | null
  /** A seat's clock, where there are clocks. */
  clock?: Snippet<[seat: number]> | null
  /** What pressing another person's place does. */
  onSeatPress?: (seat: number) => void
}

export const EMPTY_TRICK: VisibleTrick = { cards: [], leader: null, winner: null }

export const nameOf = (places: SeatInfo[] | undefined, seat: number): string => places?.[seat]?.name || t('page-seat', { number: seat + 1 })

/** Something on its way between two spots of the table: `supply`, `vault-2`, `showroom-0`. */
export interface Flight {
  key: string
  from: string
  to: string
}
