// Download of the record of a finished game.
import { withRetry, get } from '../client/api'
import { isLocal } from '../client/localTables'

/** Download a text as a file. */
export function downloadText(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Handle a click on a record link: a server sends the file, but the file of a local table is created here. */
export async function downloadLocalRecord(event: Event, id: string, onError: (words: string) => void): Promise<void> {
  const path = `/api/tables/${id}/record`
  if (!isLocal(path)) return
  event.preventDefault()
  const record = await withRetry(get<object>(path), onError)
  if (record) downloadText(`diamonds-${id}.json`, JSON.stringify(record))
}
