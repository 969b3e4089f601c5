// Allowed and default values of game options.

export type Value = boolean | number | string

/** What an option is, without what is said of it. */
export interface OptionShape {
  name: string
  values: Value[]
  default: Value
  rule: string
  seats: number[]
  needs: Record<string, boolean | string> | null
  default_by: Record<string, Record<string, number>> | null
}

/** What an option is unless someone says otherwise; it may go by the seats, or by the value of another option. */
export function defaultValue(option: OptionShape, seats: number, value: (name: string) => Value | undefined): Value {
  if (option.seats.length > 0 && !option.seats.includes(seats)) return option.values[0]!
  for (const [other, defaults] of Object.entries(option.default_by ?? {})) {
    const found = defaults[String(other === 'seats' ? seats : value(other))]
    if (found !== undefined) return found
  }
  return option.default
}

/** Whether an option means anything at a table of so many seats, by what the others are. */
export const isAllowed = (option: OptionShape, seats: number, value: (name: string) => Value | undefined): boolean =>
  (option.seats.length === 0 || option.seats.includes(seats)) && Object.entries(option.needs ?? {}).every(([other, wanted]) => value(other) === wanted)
