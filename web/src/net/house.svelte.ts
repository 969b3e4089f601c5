// What can be played here, asked once a language.
import { attempt, get, post } from './api'
import type { House } from './types'
import { language } from './words.svelte'

export const house: { info: House | null } = $state({ info: null })

let told = '' // in which language

export async function askHouse(): Promise<House> {
  const wanted = language()
  if (!house.info || told !== wanted) {
    house.info = await get<House>('/api/house')
    told = wanted
  }
  return house.info
}

/** Be called this from now on. Whether one is: a name that may not be had is refused, and `tell` is given the sentence. */
export async function rename(name: string, tell: (words: string) => void): Promise<boolean> {
  const wish = name.trim()
  if (!wish || wish === house.info?.name) return true
  const done = await attempt(post('/api/me', { name: wish }), tell)
  if (done && house.info) house.info.name = wish
  return Boolean(done)
}
