// Short labels of the suit actions (C15–C18).
import type { Suit } from '../../client/types'
import type { MessageId } from '../../client/i18n.svelte'

export const ACTIONS: Record<Suit, MessageId> = {
  D: 'page-crystals-action-d',
  H: 'page-crystals-action-h',
  S: 'page-crystals-action-s',
  C: 'page-crystals-action-c',
}
