// A catalog of sentences as the page takes it, in parts. `en.ftl?table` is a module with what a table says while
// it is played; what its game says is a part of that game's name (`?mines`), hints are `?hints`, and `?records` has what is said of finished
// games and their records. `?home` is the lobby, `?accounts` the account page, `?social` matchmaking and friends, `?chat` the chat, `?clocks` the clocks, `?moderation` what moderators read and what is said to those they sanction, `?turns` the turn feed and notifications, `?local` local tables, `?lessons` the lessons, `?puzzles` the puzzles, and `?pages` all other pages and
// what a table loads later: rarely used options, the end of a game, the help, proposals, the generic board. What the
// coach of a game says is `?coach-mines`. What the page never says is in none.
import { readFile } from 'node:fs/promises'
import { FluentResource } from '@fluent/bundle'

const COACH = /^page-(coach-[a-z]+)-/
const COACHES = /^page-coach-[a-z]+ =/ // what every coach says
const HOME = /^page-(lobby|home|tables)\b/
const LATER = /^(page-(lobby-listed|newer|tables(?!-(name|account|record))|rules|settings-\w+|replay|review|record|variants|waiting|requests|agree|no|withdraw|watching|request|sit|team|twice|tap(?!-)|last|nothing|game-over|and|generic|help|key|score-pad|no-copying|copied|(?!toolbar)\w+-(help|score-pad|rounds|totals))|\w+-end)\b/
const ACCOUNTS = /^(page-accounts\b|account-passkeys-(there|nowhere) =)/
const CHAT = /^page-(chat|phrase)\b/
const SOCIAL = /^page-social\b/
const CLOCKS = /^page-clock-/
const MODERATION = /^page-moderation-/
const TURNS = /^page-(turn|push)\b/
const LESSONS = /^page-(learn|lesson)-/
const LOCAL = /^(page-local|table-(unknown|quicker|moved-on|nothing-to-undo|undo-own|again-not-over|play-on-not-over|replay-not-over) =|game-other-rules =|hint-(not-your-turn|none-here|review-not-over) =)/
const PUZZLES = /^page-puzzles-/
const SERVER = /^(as-it-is|list-and|nothing|table-(a-bot|gives-way|sits-down|stands-up|stepped-back|timeout)) =/
const HINTS = /^(page-(hint-(as-good|because|best|brings|close|numbers|tied|warming|wins|worlds)|about|percent|points) =|hint-)(?!(cannot-be-made|for-players|none-here|not-your-turn|game-not-over|review-\w+))/ // those are refusals, which come in words
const RECORDS = /^(side-event-|game-|list-or|option-|quoted|record-|table-deals-)/
const ENTRY = /^(?=[a-z][a-z0-9-]* =)/m // where a sentence begins
const TITLE = /^(?!game-|push-)([a-z]+)-title =/

/** The sentences of a catalog as `src/client/catalog.ts` has them. */
export function read(catalog) {
  const sentences = {}
  for (const { id, value, attributes } of new FluentResource(catalog).body) {
    if (value === null || Object.keys(attributes).length) throw new Error(`${id}: the page takes sentences without attributes.`)
    sentences[id] = brief(value)
  }
  return sentences
}

function brief(given) {
  if (Array.isArray(given)) return given.map(brief)
  if (given.type === 'var') return [given.name]
  if (given.type !== 'select' || given.variants.some(({ key }) => key.precision)) return given
  return [brief(given.selector), given.variants.map(({ key, value }) => [key.value, brief(value)]), given.star]
}

/** The parts of a catalog, without its comments. */
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
  if (ACCOUNTS.test(entry)) return 'accounts'
  if (CHAT.test(entry)) return 'chat'
  if (SOCIAL.test(entry)) return 'social'
  if (CLOCKS.test(entry)) return 'clocks'
  if (MODERATION.test(entry)) return 'moderation'
  if (LOCAL.test(entry)) return 'local'
  if (LESSONS.test(entry)) return 'lessons'
  if (PUZZLES.test(entry)) return 'puzzles'
  if (TURNS.test(entry)) return 'turns'
  if (LATER.test(entry)) return 'pages'
  if (TITLE.test(entry)) return 'table' // of any game: the lobby names them all
  if (games.has(first)) return second === 'option' || second === 'says' ? null : first // the server sends these as text
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
