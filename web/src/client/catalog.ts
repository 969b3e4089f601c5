// How the sentences of a catalogue come: read while the page is built (`catalogue.js`), so that the page needs no reader of its own.
// A sentence is its text or, where values stand in it, a list of texts and these: [name] is a value, [what, cases, default] a choice among
// [key, sentence], and whatever is rarer is as `@fluent/bundle` has it
// (its own affair, it says: `tests/test_page_catalogue.py` compares all sentences with what it reads itself).
import type { FluentResource } from '@fluent/bundle'

type Read = FluentResource['body'][number]
type Pattern = NonNullable<Read['value']>
type Element = Exclude<Pattern, string>[number]
type Given = string | [string] | [Given, Case[], number] | object
type Case = [key: string | number, sentence: Sentence]
export type Sentence = string | Given[]
export type Sentences = Record<string, Sentence>

/** As `@fluent/bundle` takes them. */
export const resource = (sentences: Sentences): FluentResource =>
  ({ body: Object.entries(sentences).map(([id, sentence]) => ({ id, value: pattern(sentence), attributes: {} })) }) as unknown as FluentResource

const pattern = (sentence: Sentence): Pattern => (typeof sentence === 'string' ? sentence : sentence.map(element))

function element(given: Given): Element {
  if (!Array.isArray(given)) return given as Element
  const [what, cases, star] = given as [Given, Case[]?, number?]
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
