// Texts in the reader's language. A message is found by its id in the catalogs of `src/diamonds/i18n`, which are loaded in parts
// (`build-tools/catalog.js`). Only one language is loaded, in parallel with everything else.
import { FluentBundle, FluentNumber } from '@fluent/bundle'
import { lazy } from './lazy'
import { resource, type CompiledMessages } from './catalog'
import type { MessageRef, SeatInfo, Suit } from './types'

export type MessageId = `page-${string}`

const DEFAULT_LANGUAGE = 'en'
/** A part of the catalogues: its sentences by language. */
export type CatalogPart = Map<string, () => Promise<CompiledMessages>>
/** A part from the files that a glob finds. */
export const part = (files: Record<string, () => Promise<unknown>>): CatalogPart =>
  new Map(Object.entries(files).map(([file, load]) => [file.replace(/.*\/|\.ftl$/g, ''), load as () => Promise<CompiledMessages>]))

// What a table says while it is played, and what is said by all that comes later.
const table = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?table', import: 'default' }))
export const pages = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?pages', import: 'default' }))

/** What the lobby says. */
export const lobby = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?home', import: 'default' }))
/** What a hint says and why, also in a review. */
export const hints = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?hints', import: 'default' }))

/** The languages there are, by their short names. */
export const LANGUAGES = [...table.keys()]

let bundle = $state.raw<FluentBundle | null>(null)
let loadedParts = 0 // how many parts are in it
let onLoaded = () => {}
/** Until there are words. */
export const loaded = new Promise<void>((done) => (onLoaded = done))

/** The language to speak: the one that is wished for, else the first of the browser's that there is, else English. */
export const bestLanguage = (preferred: string): string =>
  [preferred, ...navigator.languages].map((one) => one.toLowerCase().split('-')[0]!).find((one) => table.has(one)) ?? DEFAULT_LANGUAGE

let requestedLanguage = DEFAULT_LANGUAGE
const parts = [table]
let ready: Promise<void> = loaded

/** Speak a language from now on; whatever is shown says it anew. */
export function setLanguage(language: string): Promise<void> {
  requestedLanguage = language
  return (ready = fetchParts(language, [...parts]))
}

async function fetchParts(language: string, known: CatalogPart[]): Promise<void> {
  const messages = await Promise.all(known.map((one) => lazy(one.get(language)!)))
  if (language !== requestedLanguage || known.length < parts.length) return ready // asked for something else, or more, meanwhile
  const next = new FluentBundle(language, { useIsolating: false })
  for (const one of messages) next.addResource(resource(one))
  loadedParts = known.length
  bundle = next
  document.documentElement.lang = language
  onLoaded()
}

/** Until what is in a part can be said, too. */
export function loadPart(part: CatalogPart): Promise<void> {
  if (parts.includes(part)) return ready
  parts.push(part)
  return setLanguage(requestedLanguage)
}

/** The language that is spoken, or will be as soon as there are words. */
export const language = (): string => bundle?.locales[0] ?? requestedLanguage

/** A sentence in words; nothing as long as there are none, or while some are on their way and its own may be among them. */
export const t = (id: MessageId, values: Record<string, string | number> = {}): string => formatMessage(id, values)

function formatMessage(id: string, values: Record<string, string | number> = {}): string {
  const pattern = bundle?.getMessage(id)?.value
  const given = Object.entries(values)
  if (!bundle || !pattern) return loadedParts < parts.length ? '' : [id, ...given.map((one) => one.join('='))].join(' ')
  return bundle.formatPattern(pattern, Object.fromEntries(given.map(([name, value]) => [name, typeof value === 'number' ? ungrouped(value) : value])))
}

/** Whether there are words for an id. Of the games of other packages there are none. */
export const hasMessage = (id: string): boolean => bundle?.hasMessage(id) ?? false

export const SYMBOLS: Record<Suit, string> = { D: '♦', H: '♥', S: '♠', C: '♣' }
const PERSON = /^(seat|to|victim|dealer|first|loser|next)$/
const card = (name: string) => SYMBOLS[name[0] as Suit] + name.slice(1)
const isMessageText = (value: unknown): value is MessageRef => Array.isArray(value) && value.length === 2 && typeof value[1] === 'object' && !Array.isArray(value[1])

/** A sentence of a game or of the server, in words. What a value is follows from its name; people are called as at their table. */
export function textOf([id, values]: MessageRef, places: readonly SeatInfo[] = [], me: number | null = null): string {
  const mine = me === null ? undefined : places[me]?.name
  function person(who: number | string): string {
    if (who === me || who === mine) return 'you'
    const name = String(typeof who === 'number' ? places[who]?.name || t('page-seat', { number: who + 1 }) : who)
    return name === 'you' ? '“you”' : name // a catalogue must not take it for the reader
  }
  function plain(key: string, value: any): string | number {
    if (value === null) return formatMessage('nothing')
    if (isMessageText(value)) return textOf(value, places, me)
    if (PERSON.test(key)) return person(value)
    if (key === 'card') return card(value)
    if (key === 'suit') return SYMBOLS[value as Suit]
    if (key === 'pile') return value + 1 // answers count from 0
    if (key === 'game') return gameTitle(value)
    if (key === 'given') return typeof value === 'string' ? formatMessage('quoted', { text: value }) : value
    if (key === 'each') return joinList(value.map((one: unknown) => plain('', one)))
    if (key === 'either') return joinList(value.map(String), 'or')
    if (key === 'cards') return value.map(card).join(' ') || formatMessage('nothing')
    return Array.isArray(value) ? value.map((one) => plain('', one)).join(', ') : value
  }
  return formatMessage(id, Object.fromEntries(Object.entries(values).map(([key, value]) => [key, plain(key, value)])))
}

/** What a game is called. */
export const gameTitle = (game: string): string =>
  hasMessage(`${game}-title`) ? formatMessage(`${game}-title`) : game.charAt(0).toUpperCase() + game.slice(1)

/** Texts in a row, the last two joined by “and” or “or”. */
export const joinList = (texts: string[], how = 'and'): string =>
  texts.length < 2 ? texts.join() : formatMessage(`list-${how}`, { before: texts.slice(0, -1).join(', '), last: texts.at(-1)! })

/** With a capital letter where a sentence begins, a suit's symbol before it or not: a name may begin with a small one. */
export const capitalize = (sentence: string): string => sentence.replace(/(^[♦♥♠♣] |^|[.!] )([a-z])/gu, (_, before: string, one: string) => before + one.toUpperCase())

/** A number as it stands in a sentence: 1234 as it is. */
const ungrouped = (value: number) => new FluentNumber(value, { useGrouping: false })

/** A number with so many digits after the point. */
export const formatNumber = (value: number, digits: number): string =>
  Number(value.toFixed(digits)).toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false })
