// Texts in the chosen language. The catalogs (`src/diamonds/i18n`) are loaded in parts (`build-tools/catalog.js`), in
// one language only, in parallel with everything else.
import { lazy } from './lazyLoad'
import { format, type CompiledMessages, type Locale } from './catalog'
import type { MessageRef, SeatInfo, Suit } from './types'

export type MessageId = `page-${string}`

const DEFAULT_LANGUAGE = 'en'
/** A part of the catalog: its loaders by language. */
export type CatalogPart = Map<string, () => Promise<CompiledMessages>>
/** Return a catalog part from the files of a glob import. */
export const part = (files: Record<string, () => Promise<unknown>>): CatalogPart =>
  new Map(Object.entries(files).map(([file, load]) => [file.replace(/.*\/|\.ftl$/g, ''), load as () => Promise<CompiledMessages>]))

// The table's part loads first; `pages` and the others follow when needed.
const table = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?table', import: 'default' }))
export const pages = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?pages', import: 'default' }))

export const lobby = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?home', import: 'default' }))
/** Hints and their reasons, also for reviews. */
export const hints = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?hints', import: 'default' }))

/** The available languages, by code. */
export const LANGUAGES = [...table.keys()]

let catalog = $state.raw<(Locale & { messages: CompiledMessages }) | null>(null)
let loadedParts = 0 // parts in the current catalog
let onLoaded = () => {}
/** Resolves when the first texts are available. */
export const loaded = new Promise<void>((done) => (onLoaded = done))

/** Return the preferred language if it is available, else the browser's first available one, else English. */
export const bestLanguage = (preferred: string): string =>
  [preferred, ...navigator.languages].map((one) => one.toLowerCase().split('-')[0]!).find((one) => table.has(one)) ?? DEFAULT_LANGUAGE

let requestedLanguage = DEFAULT_LANGUAGE
const parts = [table]
let ready: Promise<void> = loaded

/** Switch the language of all texts on screen. */
export function setLanguage(language: string): Promise<void> {
  requestedLanguage = language
  return (ready = fetchParts(language, [...parts]))
}

async function fetchParts(language: string, known: CatalogPart[]): Promise<void> {
  const messages = await Promise.all(known.map((one) => lazy(one.get(language)!)))
  if (language !== requestedLanguage || known.length < parts.length) return ready // changed again in the meantime
  loadedParts = known.length
  catalog = { language, plurals: new Intl.PluralRules(language), messages: Object.assign({}, ...messages) }
  document.documentElement.lang = language
  onLoaded()
}

/** Load a catalog part. */
export function loadPart(part: CatalogPart): Promise<void> {
  if (parts.includes(part)) return ready
  parts.push(part)
  return setLanguage(requestedLanguage)
}

/** Return the current language, or the requested one until its texts are loaded. */
export const language = (): string => catalog?.language ?? requestedLanguage

/** Return a message as text; empty while its catalog part is still loading. */
export const t = (id: MessageId, values: Record<string, string | number> = {}): string => formatMessage(id, values)

function formatMessage(id: string, values: Record<string, string | number> = {}): string {
  const message = catalog?.messages[id]
  if (catalog && message !== undefined) return format(message, values, catalog)
  return loadedParts < parts.length ? '' : [id, ...Object.entries(values).map((one) => one.join('='))].join(' ')
}

/** Return whether a message exists. Games from other packages may have none. */
export const hasMessage = (id: string): boolean => catalog?.messages[id] !== undefined

export const SYMBOLS: Record<Suit, string> = { D: '♦', H: '♥', S: '♠', C: '♣' }
const PERSON = /^(seat|to|victim|dealer|first|loser|next)$/
const card = (name: string) => SYMBOLS[name[0] as Suit] + name.slice(1)
const isMessageText = (value: unknown): value is MessageRef => Array.isArray(value) && value.length === 2 && typeof value[1] === 'object' && !Array.isArray(value[1])

/** Return a message of a game or of the server as text. The type of an argument follows from its name. `places` has the people's names. */
export function textOf([id, values]: MessageRef, places: readonly SeatInfo[] = [], me: number | null = null): string {
  const mine = me === null ? undefined : places[me]?.name
  function person(who: number | string): string {
    if (who === me || who === mine) return 'you'
    const name = String(typeof who === 'number' ? places[who]?.name || t('page-seat', { number: who + 1 }) : who)
    return name === 'you' ? '“you”' : name // in the catalogs `you` means the viewer
  }
  function plain(key: string, value: any): string | number {
    if (value === null) return formatMessage('nothing')
    if (isMessageText(value)) return textOf(value, places, me)
    if (PERSON.test(key)) return person(value)
    if (key === 'card') return card(value)
    if (key === 'suit') return SYMBOLS[value as Suit]
    if (key === 'pile') return value + 1 // players count piles from 1, answers from 0
    if (key === 'game') return gameTitle(value)
    if (key === 'given') return typeof value === 'string' ? formatMessage('quoted', { text: value }) : value
    if (key === 'each') return joinList(value.map((one: unknown) => plain('', one)))
    if (key === 'either') return joinList(value.map((one: unknown) => String(plain('', one))), 'or')
    if (key === 'cards') return value.map(card).join(' ') || formatMessage('nothing')
    return Array.isArray(value) ? value.map((one) => plain('', one)).join(', ') : value
  }
  return formatMessage(id, Object.fromEntries(Object.entries(values).map(([key, value]) => [key, plain(key, value)])))
}

export const gameTitle = (game: string): string =>
  hasMessage(`${game}-title`) ? formatMessage(`${game}-title`) : game.charAt(0).toUpperCase() + game.slice(1)

/** Join texts with commas, and “and” or “or” before the last. */
export const joinList = (texts: string[], how = 'and'): string =>
  texts.length < 2 ? texts.join() : formatMessage(`list-${how}`, { before: texts.slice(0, -1).join(', '), last: texts.at(-1)! })

/** Capitalize the first letter of each sentence, also after a suit symbol, because names may start in lower case. */
export const capitalize = (sentence: string): string => sentence.replace(/(^[♦♥♠♣] |^|[.!] )([a-z])/gu, (_, before: string, one: string) => before + one.toUpperCase())

/** Format a number with a fixed number of decimals. */
export const formatNumber = (value: number, digits: number): string =>
  Number(value.toFixed(digits)).toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false })
