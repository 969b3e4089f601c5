// Reasons for a report.
import type { ReportRequest } from '../client/types'
import type { MessageId } from '../client/i18n.svelte'

export const REPORT_REASONS: Record<ReportRequest['reason'], MessageId> = {
  rude: 'page-chat-report-rude',
  cheating: 'page-chat-report-cheating',
  spoiling: 'page-chat-report-spoiling',
  name: 'page-chat-report-name',
  other: 'page-chat-report-other',
}
