// What can be played here, asked once.
import { get } from './api'
import type { House, OptionInfo, TableInfo } from './types'
import { say } from './words.svelte'

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

/** What is played otherwise than usual: “partnership, no memory aid, target 20”. */
export const variants = (info: Pick<TableInfo, 'game' | 'seats' | 'options'>): string =>
  (house.info?.games.find((game) => game.name === info.game)?.options ?? [])
    .filter((one) => info.options[one.name] !== usual(one, info.seats, (other) => info.options[other]))
    .map((one) => {
      const [value, option] = [info.options[one.name], one.name.replaceAll('_', ' ')]
      if (value === true) return option
      return value === false ? say('page-waiting-off', { option }) : say('page-waiting-value', { option, value: String(value).replaceAll('_', ' ') })
    })
    .join(', ')
