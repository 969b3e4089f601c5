// A Vite plugin that splits a catalog into the parts that the client loads: `en.ftl?table` is a module with the messages of the part `table`. Parts: `table` (during
// play), one per game (`mines`), `hints`, `records` (finished games and their records), `home` (lobby), `accounts`, `social` (matchmaking and
// friends), `chat`, `clocks`, `moderation` (for moderators and sanctioned players), `turns` (turn feed and notifications), `local` (tables on the
// device), `standing` (who is ahead at a table), `news` (the last trick), `lessons`, `puzzles`, `duel`, `today` (deals of the day), `match` (duplicate matches), one per coach (`coach-mines`), and `pages` (all other pages, and what a table loads later: rare options, end of the
// game, help, proposals, the generic board). Messages that the client never shows are in no part.
import { readFile } from 'node:fs/promises'
import { FluentResource } from '@fluent/bundle'

const COACH = /^page-(coach-[a-z]+)-/
const COACHES = /^page-coach-[a-z]+ =/ // shared by all coaches
const PROGRAMS = /^\w+-illegal-(count|no-seat|own-showroom|lowest-seat|nothing-on-show|chosen-already|in-order) =/ // the page offers no such answers
const STANDING = /^page-standing-/
const NEWS = /^page-news-/
const HOME = /^page-(lobby|home|tables)\b/
const LATER = /^(page-(lobby-listed|leave-\w+|newer|tables(?!-(name|account|record))|rules|settings-\w+|replay|review|record|variants|waiting|requests|agree|no|withdraw|watching|request|sit|stand-up|team|twice|tap(?!-)|last|nothing|game-over|and|generic|help|key|score-pad|no-copying|copied|(?!toolbar)\w+-(help|score-pad|rounds|totals))|\w+-end|[\w-]+-cause)\b/
const ACCOUNTS = /^(page-accounts\b|account-passkeys-(there|nowhere) =)/
const CHAT = /^page-(chat|phrase)\b/
const SOCIAL = /^page-social\b/
const CLOCKS = /^page-clock-/
const MODERATION = /^page-moderation-/
const TURNS = /^page-(turn|push)\b/
const LESSONS = /^page-(learn|lesson)-/
const LOCAL = /^(page-local|table-(unknown|quicker|moved-on|nothing-to-undo|undo-own|again-not-over|play-on-not-over|replay-not-over) =|game-other-rules =|hint-(not-your-turn|none-here|review-not-over) =)/
const DUEL = /^page-duel\b/
const TODAY = /^page-today\b/
const MATCH = /^page-match\b/
const PUZZLES = /^page-puzzles-/
const SERVER = /^(as-it-is|list-(and|or)|nothing|table-(a-bot|gives-way|sits-down|stands-up|stepped-back|timeout)) =/
const HINTS = /^(page-(hint-(also|and|any|as-often|as-often-because|equal|equal-(fact|ranks|trick|diamond)|effect-[\w-]+|same|sign|use|because|best|brings|close|either|fewer|first|less|most|numbers|tied|warming|wins|worlds|worlds-chance)|about|percent|percent-chance|points) =|hint-)(?!(cannot-be-made|for-players|none-here|not-your-turn|game-not-over|review-\w+))/ // except errors, which the server sends as text
const RECORDS = /^(side-event-|game-|option-|quoted|record-|table-deals-)/
const ENTRY = /^(?=[a-z][a-z0-9-]* =)/m // the start of a message
const TITLE = /^(?!game-|push-)([a-z]+)-title =/

/** Return the messages of a catalog in the format of `src/client/catalog.ts`. */
export function read(catalog) {
  const { body } = new FluentResource(catalog)
  const written = Object.fromEntries(body.map(({ id, value }) => [id, value]))
  const sentences = {}
  for (const { id, value, attributes } of body) {
    if (value === null || Object.keys(attributes).length) throw new Error(`${id}: the page takes sentences without attributes.`)
    sentences[id] = brief(value, written)
  }
  return sentences
}

function brief(given, written) {
  if (typeof given === 'string') return given
  if (Array.isArray(given)) return given.flatMap((one) => (one.type === 'mesg' ? brief(written[one.name], written) : [brief(one, written)]))
  const { type, value, selector, variants, args: [number, digits] = [] } = given
  if (type === 'str') return value
  if (type === 'var') return [given.name]
  if (type === 'func' && given.name === 'NUMBER' && digits.name === 'minimumFractionDigits') return [number.name, digits.value.value]
  if (type === 'select' && selector.type === 'var') return [selector.name, variants.map(({ key, value }) => [key.value, brief(value, written)]), given.star]
  throw new Error(`The page cannot format ${JSON.stringify(given)}.`)
}

/** Return the parts of a catalog, without its comments. */
function partsOf(catalog) {
  const entries = catalog.replace(/^#.*\n|^\n/gm, '').split(ENTRY)
  const games = new Set(entries.map((entry) => TITLE.exec(entry)?.[1]))
  const parts = {}
  for (const entry of entries) {
    const found = COACHES.test(entry) ? [...games].filter((game) => game).map((game) => `coach-${game}`) : [partFor(entry, games)]
    for (const part of found) if (part) parts[part] = (parts[part] ?? '') + entry
  }
  return parts
}

function partFor(entry, games) {
  const coach = COACH.exec(entry)
  if (coach) return coach[1]
  const [, page, first, second] = /^(page-)?([a-z]+)(?:-([a-z]+))?/.exec(entry)
  if (HINTS.test(entry)) return 'hints'
  if (PROGRAMS.test(entry)) return null
  if (STANDING.test(entry)) return 'standing'
  if (NEWS.test(entry)) return 'news'
  if (ACCOUNTS.test(entry)) return 'accounts'
  if (CHAT.test(entry)) return 'chat'
  if (SOCIAL.test(entry)) return 'social'
  if (CLOCKS.test(entry)) return 'clocks'
  if (MODERATION.test(entry)) return 'moderation'
  if (LOCAL.test(entry)) return 'local'
  if (LESSONS.test(entry)) return 'lessons'
  if (PUZZLES.test(entry)) return 'puzzles'
  if (DUEL.test(entry)) return 'duel'
  if (TODAY.test(entry)) return 'today'
  if (MATCH.test(entry)) return 'match'
  if (TURNS.test(entry)) return 'turns'
  if (LATER.test(entry)) return 'pages'
  if (TITLE.test(entry)) return 'table' // the lobby lists all games
  if (games.has(first)) return ['option', 'says', 'question'].includes(second) ? null : first // the server sends these as text; prompts have their own sentences
  if (page) return HOME.test(entry) ? 'home' : 'table'
  if (RECORDS.test(entry)) return 'records'
  return SERVER.test(entry) ? 'table' : null
}

export const catalogs = () => ({
  name: 'catalogs',
  async load(id) {
    const [file, part] = id.split('?')
    if (!file.endsWith('.ftl')) return null
    this.addWatchFile(file)
    return `export default ${JSON.stringify(read(partsOf(await readFile(file, 'utf-8'))[part]))}`
  },
})
