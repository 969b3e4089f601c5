// The server's games, options and bot levels, loaded once per language.
import { withRetry, get, post, sleep } from './api'
import type { ServerResponse } from './types'
import { language } from './i18n.svelte'

export const server: { info: ServerResponse | null } = $state({ info: null })

let loadedLanguage = '' // language of the displayed data
let requestedLanguage = '' // language requested last; late replies in other languages are dropped

export async function loadServer(): Promise<ServerResponse> {
  const requested = (requestedLanguage = language())
  if (!server.info || loadedLanguage !== requested) {
    const request = get<ServerResponse>('/api/server').then((info) => {
      if (requestedLanguage !== requested) return
      server.info = info
      loadedLanguage = requested
    })
    await Promise.any([request, loadCached(requested)]).catch(() => request)
  }
  return server.info ?? loadServer()
}

/** Use the cached data if the server does not answer soon. The request continues. */
async function loadCached(requested: string): Promise<void> {
  await sleep(600)
  if (loadedLanguage === requested) return
  const info = (await (await fetch(`/static-data/${requested}/server.json`)).json()) as ServerResponse
  if (loadedLanguage !== requested && requestedLanguage === requested) server.info = { ...info, display_name: server.info?.display_name ?? '' }
}

/** Change your name; return whether it succeeded. If the server rejects the name, `onError` gets its message. */
export async function rename(name: string, onError: (words: string) => void): Promise<boolean> {
  const newName = name.trim()
  if (!newName || newName === server.info?.display_name) return true
  const done = await withRetry(post('/api/me', { name: newName }), onError)
  if (done && server.info) server.info.display_name = newName
  return Boolean(done)
}
