// Short labels of the suit actions (C15–C18), and whether a crystal can move (C3).
import type { CrystalsView, Suit } from '../../client/types'
import type { MessageId } from '../../client/i18n.svelte'

export const ACTIONS: Record<Suit, MessageId> = {
  D: 'page-crystals-action-d',
  H: 'page-crystals-action-h',
  S: 'page-crystals-action-s',
  C: 'page-crystals-action-c',
}

/** Return the teams, by seat, from which a ♣ action of this seat can take a crystal (C18, C25). */
export const victims = ({ team, showroom, thief, thief_at }: CrystalsView, seat: number): number[] =>
  (thief ? [team[thief_at!]!] : team).filter((one) => one !== team[seat] && showroom[one]! > 0)

/** Return whether the action of a suit would move a crystal for this seat now. */
export function canMove(view: CrystalsView, seat: number, suit: Suit): boolean {
  if (suit === 'C') return victims(view, seat).length > 0
  return (suit === 'S' ? view.showroom[view.team[seat]!]! : view.supply) > 0
}
