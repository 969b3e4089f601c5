// Checks of game options, with the same errors as the server.
import { isAllowed, defaultValue, type OptionDefinition, type OptionValue } from '../client/options'
import type { GameManifest } from './manifest'
import { EngineError } from './error'

/** Return a value as players write it. */
const valueText = (value: OptionValue): string => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value))

/** Return the error for a value outside an option's range. Consecutive numbers appear as a range. */
function outOfRange({ name, values, rule }: OptionDefinition, value: OptionValue): [id: string, values: Record<string, unknown>] {
  const common = { option: name, given: valueText(value), rule }
  const inARow = values.length > 2 && values.every((value) => typeof value === 'number')
  return inARow ? ['option-range', { ...common, few: values[0], many: values.at(-1) }] : ['option-one-of', { ...common, either: values.map(valueText) }]
}

/** Return all options, with defaults filled in. Throw an `EngineError` for an invalid one. */
export function checkOptions(name: string, game: GameManifest, seats: number, requested: Record<string, OptionValue>): Record<string, OptionValue> {
  if (!game.seats.includes(seats)) throw new EngineError('game-seats', { game: name, few: game.seats[0]!, many: game.seats.at(-1)!, given: seats })
  const checked: Record<string, OptionValue> = {}
  for (const option of game.options) {
    const { rule, values } = option
    const value = (other: string): OptionValue | undefined => checked[other]
    const chosen = requested[option.name]
    checked[option.name] = chosen ?? defaultValue(option, seats, value)
    if (chosen === undefined) continue
    if (!values.includes(chosen)) throw new EngineError(...outOfRange(option, chosen))
    const without = option.seats.includes(seats) || !option.seats.length ? option.default : values[0]
    if (chosen !== without && !isAllowed(option, seats, value)) {
      const [other, wanted] = Object.entries(option.needs ?? {})[0] ?? []
      if (other && (option.seats.includes(seats) || !option.seats.length)) throw new EngineError('option-needs', { option: option.name, other, value: valueText(wanted!), rule })
      throw new EngineError('option-seats', { option: option.name, either: option.seats, rule })
    }
  }
  const unknown = Object.keys(requested).find((each) => !(each in checked))
  if (unknown !== undefined) throw new EngineError('game-no-option', { game: name, given: unknown, options: Object.keys(checked).sort() })
  return checked
}
