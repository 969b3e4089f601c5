import type { Suit } from '../../net/types'

/** What the suits do (C15–C18), in a few words. */
export const ACTIONS: Record<Suit, string> = {
  D: 'Supply to Vault',
  H: 'Supply to Showroom',
  S: 'Showroom to Vault',
  C: 'take from another Showroom',
}
