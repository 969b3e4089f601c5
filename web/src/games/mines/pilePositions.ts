// Positions of the piles of mines: rows of four, five and four, with columns counted in half piles (M1).
import type { MinesView } from '../../client/types'

export const PILE_POSITIONS = Array.from({ length: 13 }, (_, pile) => {
  const row = pile < 4 ? 0 : pile < 9 ? 1 : 2
  const column = row === 0 ? pile * 2 + 1 : row === 1 ? (pile - 4) * 2 : (pile - 9) * 2 + 1
  return { pile, row, column }
})

/** Return the color and marker of a seat: 0 for the viewer's seat in every game. */
export const sideOf = (seat: number, me: number | null): number => (me === 1 ? 1 - seat : seat)

/** Return whether two piles touch (M1). */
const touches = (a: number, b: number): boolean => {
  const [one, other] = [PILE_POSITIONS[a]!, PILE_POSITIONS[b]!]
  return Math.abs(one.row - other.row) + Math.abs(one.column - other.column) === 2 && one.column !== other.column
}

/** Return the piles of an owner that touch a pile of the seat. Unclaimed ones can be claimed, and the opponent's can be attacked. */
export const touching = (owner: readonly (number | null)[], seat: number, of: number | null): number[] =>
  owner.flatMap((one, pile) => (one === of && owner.some((other, own) => other === seat && touches(own, pile)) ? [pile] : []))

/** Return the owners if a seat claims every unclaimed pile connected to its own through unclaimed ones (M11). */
function withReach(owner: readonly (number | null)[], seat: number): (number | null)[] {
  const reached = [...owner]
  for (let next = touching(reached, seat, null); next.length > 0; next = touching(reached, seat, null)) for (const pile of next) reached[pile] = seat
  return reached
}

/** Return how many unclaimed piles a seat can still claim, one after the other. */
export const reach = (owner: readonly (number | null)[], seat: number): number => withReach(owner, seat).filter((one, pile) => one === seat && owner[pile] === null).length

/** Return how many cards a seat has in hand and in reach. They must include seven ♦, unless they include a ♣ (M11). */
export const cardsWithin = ({ owner, left, hand_size }: MinesView, seat: number): number =>
  withReach(owner, seat).reduce<number>((sum, one, pile) => sum + (one === seat ? left[pile]! : 0), hand_size[seat]!)

/** Return the opponent's claim that leaves a seat the fewest piles in reach, and their number; `null` if it can claim none. */
export function worstClaim(owner: readonly (number | null)[], seat: number): { pile: number; left: number } | null {
  const claims = touching(owner, 1 - seat, null).map((pile) => ({ pile, left: reach(owner.map((one, k) => (k === pile ? 1 - seat : one)), seat) }))
  return claims.sort((a, b) => a.left - b.left)[0] ?? null
}
