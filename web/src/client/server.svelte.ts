// What can be played here, asked once a language.
import { attempt, get, post, wait } from './api'
import type { House } from './types'
import { language } from './i18n.svelte'

export const house: { info: House | null } = $state({ info: null })

let told = '' // in which language
let asking = '' // and in which it was asked last: what comes late in another one, is not shown any more

export async function askHouse(): Promise<House> {
  const wanted = (asking = language())
  if (!house.info || told !== wanted) {
    const asked = get<House>('/api/house').then((info) => {
      if (asking !== wanted) return
      house.info = info
      told = wanted
    })
    await Promise.any([asked, kept(wanted)]).catch(() => asked)
  }
  return house.info ?? askHouse()
}

/** Without word from the house for a moment, what was kept of it will do; it is asked on all the same. */
async function kept(wanted: string): Promise<void> {
  await wait(600)
  if (told === wanted) return
  const info = (await (await fetch(`/told/${wanted}/house.json`)).json()) as House
  if (told !== wanted && asking === wanted) house.info = { ...info, name: house.info?.name ?? '' }
}

/** Be called this from now on. Whether one is: a name that may not be had is refused, and `tell` is given the sentence. */
export async function rename(name: string, tell: (words: string) => void): Promise<boolean> {
  const wish = name.trim()
  if (!wish || wish === house.info?.name) return true
  const done = await attempt(post('/api/me', { name: wish }), tell)
  if (done && house.info) house.info.name = wish
  return Boolean(done)
}
