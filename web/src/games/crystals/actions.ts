import type { Suit } from '../../client/types'
import type { Id } from '../../client/i18n.svelte'

/** What the suits do (C15–C18), in a few words. */
export const ACTIONS: Record<Suit, Id> = {
  D: 'page-crystals-action-d',
  H: 'page-crystals-action-h',
  S: 'page-crystals-action-s',
  C: 'page-crystals-action-c',
}
