// Download of the record of a finished game.
import { withRetry, get } from '../client/api'
import { isLocal } from '../client/localTables'

/** Have a text as a file. */
export function downloadText(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** A link to a record was followed: a server sends it, and that of a table of one's own is written here. */
export async function downloadLocalRecord(event: Event, id: string, onError: (words: string) => void): Promise<void> {
  const path = `/api/tables/${id}/record`
  if (!isLocal(path)) return
  event.preventDefault()
  const record = await withRetry(get<object>(path), onError)
  if (record) downloadText(`diamonds-${id}.json`, JSON.stringify(record))
}
