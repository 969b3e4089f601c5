// What can be played here, asked once.
import { get } from './api'
import type { House, OptionInfo } from './types'

export type Value = boolean | number | string

export const house: { info: House | null } = $state({ info: null })

export async function askHouse(): Promise<House> {
  house.info ??= await get<House>('/api/house')
  return house.info
}

/** What an option is unless someone says otherwise; it may go by the seats, or by the value of another option. */
export function usual(option: OptionInfo, seats: number, value: (name: string) => Value | undefined): Value {
  if (option.seats.length > 0 && !option.seats.includes(seats)) return option.values[0]!
  for (const [other, defaults] of Object.entries(option.default_by ?? {})) {
    const found = defaults[String(other === 'seats' ? seats : value(other))]
    if (found !== undefined) return found
  }
  return option.default
}
