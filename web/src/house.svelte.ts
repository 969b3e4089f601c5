// What can be played here, asked once.
import { get } from './api'
import type { House } from './types'

export const house: { info: House | null } = $state({ info: null })

export async function askHouse(): Promise<House> {
  house.info ??= await get<House>('/api/house')
  return house.info
}
