// Why somebody is told of to the hosts of the house.
import type { NewReport } from '../client/types'
import type { Id } from '../client/i18n.svelte'

export const REASONS: Record<NewReport['reason'], Id> = {
  rude: 'page-chat-report-rude',
  cheating: 'page-chat-report-cheating',
  spoiling: 'page-chat-report-spoiling',
  name: 'page-chat-report-name',
  other: 'page-chat-report-other',
}
