// Reasons why a challenge or a result cannot be made or opened, and what to do.
import { t } from '../client/i18n.svelte'
import { RecordLinkError } from '../client/recordLink'
import { DuelError } from './challenge'

/** Return an error of a duel or of a link as text; `null` for any other error. */
export function problemText(error: unknown): string | null {
  if (!(error instanceof DuelError || error instanceof RecordLinkError)) return null
  const { reason } = error
  return t(`page-duel-error-${reason}`)
}
