// Compiled catalogs. The build parses the Fluent files (`build-tools/catalog.js`), so the client needs no parser. A message is a text or a list of
// texts and elements: [name] is a variable, [name, digits] a number with at least these decimals, [name, cases, default] a selection by a variable
// with cases [key, message]. `tests/test_precompiled_catalogs.py` compares all messages with Fluent.

type CompiledCase = [key: string | number, message: CompiledMessage]
type CompiledElement = string | [name: string] | [name: string, digits: number] | [name: string, cases: CompiledCase[], usual: number]
export type CompiledMessage = string | CompiledElement[]
export type CompiledMessages = Record<string, CompiledMessage>

/** A language and its plural rules. */
export interface Locale {
  language: string
  plurals: Intl.PluralRules
}

type Values = Record<string, string | number>

/** Return a message as text. Numbers are not grouped: 1234. */
export const format = (message: CompiledMessage, values: Values, locale: Locale): string =>
  typeof message === 'string' ? message : message.map((element) => formatElement(element, values, locale)).join('')

function formatElement(element: CompiledElement, values: Values, locale: Locale): string {
  if (typeof element === 'string') return element
  const [name, cases = 0, usual] = element
  const value = values[name]!
  if (typeof cases !== 'number') {
    const form = typeof value === 'number' ? locale.plurals.select(value) : value
    const found = cases.find(([key]) => key === value || key === form) ?? cases[usual!]!
    return format(found[1], values, locale)
  }
  if (!cases && Number.isInteger(value)) return String(value) // a shortcut, because `toLocaleString` takes 40 µs
  return typeof value === 'number' ? value.toLocaleString(locale.language, { useGrouping: false, minimumFractionDigits: cases }) : value
}
