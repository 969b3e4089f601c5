// Compiled catalogs. The build parses the Fluent files (`build-tools/catalog.js`), so the client needs no parser. A message is a text or a list of
// texts and elements: [name] is a variable, [selector, cases, default] a selection with cases [key, message]. Rarer elements keep the format of
// `@fluent/bundle`, which is not public; `tests/test_precompiled_catalogs.py` compares all messages.
import type { FluentResource } from '@fluent/bundle'

type FluentEntry = FluentResource['body'][number]
type Pattern = NonNullable<FluentEntry['value']>
type Element = Exclude<Pattern, string>[number]
type CompiledElement = string | [string] | [CompiledElement, CompiledCase[], number] | object
type CompiledCase = [key: string | number, sentence: CompiledMessage]
export type CompiledMessage = string | CompiledElement[]
export type CompiledMessages = Record<string, CompiledMessage>

/** Return compiled messages as a resource of `@fluent/bundle`. */
export const resource = (sentences: CompiledMessages): FluentResource =>
  ({ body: Object.entries(sentences).map(([id, sentence]) => ({ id, value: pattern(sentence), attributes: {} })) }) as unknown as FluentResource

const pattern = (sentence: CompiledMessage): Pattern => (typeof sentence === 'string' ? sentence : sentence.map(element))

function element(given: CompiledElement): Element {
  if (!Array.isArray(given)) return given as Element
  const [what, cases, star] = given as [CompiledElement, CompiledCase[]?, number?]
  if (!cases) return { type: 'var', name: what as string }
  return {
    type: 'select',
    selector: element(what) as Exclude<Element, string>,
    variants: cases.map(([value, sentence]) => ({
      key: typeof value === 'number' ? { type: 'num', value, precision: 0 } : { type: 'str', value },
      value: pattern(sentence),
    })),
    star: star!,
  }
}
