// What can be played here, asked once a language.
import { get } from './api'
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
