// What can be played here, asked once a language.
import { withRetry, get, post, sleep } from './api'
import type { House } from './types'
import { language } from './i18n.svelte'

export const server: { info: House | null } = $state({ info: null })

let loadedLanguage = '' // in which language
let requestedLanguage = '' // and in which it was asked last: what comes late in another one, is not shown any more

export async function loadServer(): Promise<House> {
  const wanted = (requestedLanguage = language())
  if (!server.info || loadedLanguage !== wanted) {
    const request = get<House>('/api/house').then((info) => {
      if (requestedLanguage !== wanted) return
      server.info = info
      loadedLanguage = wanted
    })
    await Promise.any([request, loadCached(wanted)]).catch(() => request)
  }
  return server.info ?? loadServer()
}

/** Without word from the house for a moment, what was kept of it will do; it is asked on all the same. */
async function loadCached(wanted: string): Promise<void> {
  await sleep(600)
  if (loadedLanguage === wanted) return
  const info = (await (await fetch(`/told/${wanted}/house.json`)).json()) as House
  if (loadedLanguage !== wanted && requestedLanguage === wanted) server.info = { ...info, name: server.info?.name ?? '' }
}

/** Be called this from now on. Whether one is: a name that may not be had is refused, and `tell` is given the sentence. */
export async function rename(name: string, tell: (words: string) => void): Promise<boolean> {
  const wish = name.trim()
  if (!wish || wish === server.info?.name) return true
  const done = await withRetry(post('/api/me', { name: wish }), tell)
  if (done && server.info) server.info.name = wish
  return Boolean(done)
}
