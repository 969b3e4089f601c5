// What the page says, in the reader's language. A sentence is found by its id in a catalogue of `src/diamonds/words`, of which
// the page takes what begins with `page-` (`catalogue.js`). One language is loaded, while everything else is on its way.
import { FluentBundle, FluentNumber, FluentResource } from '@fluent/bundle'
import { later } from './later'

export type Id = `page-${string}`

const FIRST = 'en'
/** A part of the catalogues: its text by language. */
export type Part = Map<string, () => Promise<string>>
/** A part from the files that a glob finds. */
export const part = (files: Record<string, () => Promise<string>>): Part =>
  new Map(Object.entries(files).map(([file, load]) => [file.replace(/.*\/|\.ftl$/g, ''), load]))

// What a table says while it is played, what the lobby says, and what is said by all that comes later.
const table = part(import.meta.glob<string>('../../../src/diamonds/words/*.ftl', { query: '?table', import: 'default' }))
export const lobby = part(import.meta.glob<string>('../../../src/diamonds/words/*.ftl', { query: '?lobby', import: 'default' }))
export const pages = part(import.meta.glob<string>('../../../src/diamonds/words/*.ftl', { query: '?pages', import: 'default' }))

/** The languages there are, by their short names. */
export const LANGUAGES = [...table.keys()]

let bundle = $state.raw<FluentBundle | null>(null)
let begin = () => {}
/** Until there are words. */
export const worded = new Promise<void>((done) => (begin = done))

/** The language to speak: the one that is wished for, else the first of the browser's that there is, else English. */
export const best = (wish: string): string =>
  [wish, ...navigator.languages].map((one) => one.toLowerCase().split('-')[0]!).find((one) => table.has(one)) ?? FIRST

let wanted = FIRST
const parts = [table]
let ready: Promise<void> = worded

/** Speak a language from now on; whatever is shown says it anew. */
export function speak(language: string): Promise<void> {
  wanted = language
  return (ready = fetchParts(language, [...parts]))
}

async function fetchParts(language: string, known: Part[]): Promise<void> {
  const texts = await Promise.all(known.map((one) => later(one.get(language)!)))
  if (language !== wanted || known.length < parts.length) return ready // asked for something else, or more, meanwhile
  const next = new FluentBundle(language, { useIsolating: false })
  for (const text of texts) next.addResource(new FluentResource(text))
  bundle = next
  document.documentElement.lang = language
  begin()
}

/** Until what is in a part can be said, too. */
export function learn(part: Part): Promise<void> {
  if (parts.includes(part)) return ready
  parts.push(part)
  return speak(wanted)
}

/** The language that is spoken, or will be as soon as there are words. */
export const language = (): string => bundle?.locales[0] ?? wanted

/** A sentence in words; nothing as long as there are none. */
export function say(id: Id, values: Record<string, string | number> = {}): string {
  const pattern = bundle?.getMessage(id)?.value
  if (!bundle || !pattern) return bundle ? id : ''
  const given = Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? whole(value) : value])
  return bundle.formatPattern(pattern, Object.fromEntries(given))
}

/** A number as it stands in a sentence: 1234 as it is. */
const whole = (value: number) => new FluentNumber(value, { useGrouping: false })

/** A number with so many digits after the point. */
export const figure = (value: number, digits: number): string =>
  Number(value.toFixed(digits)).toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false })
