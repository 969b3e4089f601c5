// Allowed and default values of game options.

export type OptionValue = boolean | number | string

/** The definition of an option, without its texts. */
export interface OptionDefinition {
  name: string
  values: OptionValue[]
  default: OptionValue
  rule: string
  seats: number[]
  needs: Record<string, boolean | string> | null
  default_by: Record<string, Record<string, number>> | null
}

/** Return the default, which may depend on the number of seats or on another option. */
export function defaultValue(option: OptionDefinition, seats: number, value: (name: string) => OptionValue | undefined): OptionValue {
  if (option.seats.length > 0 && !option.seats.includes(seats)) return option.values[0]!
  for (const [other, defaults] of Object.entries(option.default_by ?? {})) {
    const found = defaults[String(other === 'seats' ? seats : value(other))]
    if (found !== undefined) return found
  }
  return option.default
}

/** Return whether an option applies to this number of seats and to the values of the other options. */
export const isAllowed = (option: OptionDefinition, seats: number, value: (name: string) => OptionValue | undefined): boolean =>
  (option.seats.length === 0 || option.seats.includes(seats)) && Object.entries(option.needs ?? {}).every(([other, wanted]) => value(other) === wanted)
