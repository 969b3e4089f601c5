// A catalogue of sentences as the page takes it, in parts. `en.ftl?table` is a module with what a table says while
// it is played; what its game says is a part of that game's name (`?mines`), hints are `?hints`, and `?records` has what is said of finished
// games and their records. `?lobby` is what the lobby says, `?people` the page about accounts, `?meet` what finds people to play with, `?talk` the chat, `?clocks` what clocks say, `?order` what is said to hosts and by them, `?turn` where it is one's turn and how one is told, `?own` tables of one's own, `?lessons` the lessons, `?puzzles` the puzzles, and `?pages` what all other pages do and
// whatever else comes later: what is seldom chosen of a table, the end, the help, what people ask for, a game that is shown plainly. What the
// coach of a game says is `?coach-mines`. What the page never says is in none.
import { readFile } from 'node:fs/promises'
import { FluentResource } from '@fluent/bundle'

const COACH = /^page-(coach-[a-z]+)-/
const COACHES = /^page-coach-[a-z]+ =/ // what every coach says
const LOBBY = /^page-(lobby|tables)\b/
const LATER = /^(page-(lobby-listed|newer|tables(?!-(name|account|record))|rules|settings-\w+|replay|review|record|variants|waiting|asks|agree|no|withdraw|watching|ask|sit|team|twice|tap(?!-)|last|nothing|over|and|plain|help|key|pad|no-copying|copied|(?!bar)\w+-(help|pad|rounds|totals|on-show|in-vault))|\w+-end)\b/
const PEOPLE = /^(page-people\b|account-passkeys-(there|nowhere) =)/
const TALK = /^page-(chat|phrase)\b/
const MEET = /^page-meet\b/
const CLOCKS = /^page-clock-/
const ORDER = /^page-order-/
const TURN = /^page-(turn|push)\b/
const LESSONS = /^page-(learn|lesson)-/
const OWN = /^(page-own|table-(unknown|quicker|moved-on|nothing-to-undo|undo-own|again-not-over|play-on-not-over|replay-not-over) =|game-other-rules =|hint-(not-your-turn|none-here|review-not-over) =)/
const PUZZLES = /^page-puzzles-/
const HOUSE = /^(as-it-is|list-and|nothing|table-(a-bot|gives-way|sits-down|stands-up|stepped-back|timeout)) =/
const HINTS = /^(page-(hint-(as-good|because|best|brings|close|numbers|tied|warming|wins|worlds)|about|percent|points) =|hint-)(?!(cannot-be-made|for-players|none-here|not-your-turn|game-not-over|review-\w+))/ // those are refusals, which come in words
const RECORDS = /^(aside-|game-|list-or|option-|quoted|record-|table-deals-)/
const ENTRY = /^(?=[a-z][a-z0-9-]* =)/m // where a sentence begins
const TITLE = /^(?!game-|push-)([a-z]+)-title =/

/** The sentences of a catalogue as `src/client/catalog.ts` has them. */
export function read(catalogue) {
  const sentences = {}
  for (const { id, value, attributes } of new FluentResource(catalogue).body) {
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

/** The parts of a catalogue, without its comments. */
function partsOf(catalogue) {
  const entries = catalogue.replace(/^#.*\n|^\n/gm, '').split(ENTRY)
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
  if (PEOPLE.test(entry)) return 'people'
  if (TALK.test(entry)) return 'talk'
  if (MEET.test(entry)) return 'meet'
  if (CLOCKS.test(entry)) return 'clocks'
  if (ORDER.test(entry)) return 'order'
  if (OWN.test(entry)) return 'own'
  if (LESSONS.test(entry)) return 'lessons'
  if (PUZZLES.test(entry)) return 'puzzles'
  if (TURN.test(entry)) return 'turn'
  if (LATER.test(entry)) return 'pages'
  if (TITLE.test(entry)) return 'table' // of any game: the lobby names them all
  if (games.has(first)) return second === 'option' || second === 'says' ? null : first // of these the house tells
  if (page) return LOBBY.test(entry) ? 'lobby' : 'table'
  if (RECORDS.test(entry)) return 'records'
  return HOUSE.test(entry) ? 'table' : null
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
