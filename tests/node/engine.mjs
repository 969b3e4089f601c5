// Play games with the page's engine: each line of standard input is a request, and each reply is a line. node
// engine.mjs ENGINE FOLDER < LINES (ENGINE: web/src/engine, bundled)
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'

const [engine, folder] = process.argv.slice(2)
const { answerText, hintSummary, LocalGame, Reasons, resultBreakdowns, ReviewEngine, RulesModule, SearchEngine, seedBits } = await import(engine)
const manifest = JSON.parse(await readFile(`${folder}/manifest.json`, 'utf-8'))
const fetch = async (file) => new Uint8Array(await readFile(`${folder}/${file}`))
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16))

const opened = new Map()
const open = async (kind, name) => {
  const key = `${kind} ${name}`
  const info = manifest.games[name]
  const opens = {
    rules: () => RulesModule.open(name, manifest, fetch),
    search: () => SearchEngine.open(info, fetch),
    review: () => ReviewEngine.open(info, fetch),
    why: () => Reasons.open(info, fetch),
  }
  if (!opened.has(key)) opened.set(key, await opens[kind]())
  return opened.get(key)
}
const rowOf = (row) => BigInt64Array.from(row, BigInt)
const withoutBigInts = (_, value) => (typeof value === 'bigint' ? String(value) : ArrayBuffer.isView(value) ? Array.from(value, String) : value)
const written = (value) => JSON.parse(JSON.stringify(value, withoutBigInts))

let game
const deeds = {
  /** Start a new game. */
  async start({ name, seats, options, secret, nonces }) {
    const players = Array.from({ length: seats }, (_, seat) => `Seat ${seat}`)
    let time = 1000
    const header = { seats, options, players, seated: players.map(() => 'person'), secret: bytes(secret), nonces: nonces.map(bytes) }
    game = new LocalGame(await open('rules', name), header, manifest.record, () => time++)
    return { told: game.rules.eventsFor(game.opening, null) }
  },
  async answer({ seat, question, answer, as }) {
    const log = game.answer(seat, question, answer)
    return { told: game.rules.eventsFor(log, null), heard: as === undefined ? null : game.rules.eventsFor(log, as) }
  },
  async undo({ seat, to }) {
    game.undo(seat, to)
    return {}
  },
  async look({ seat }) {
    return { view: game.view(seat), asks: game.openQuestions(), over: game.over, result: game.result, facts: game.over ? game.rules.facts(game.row) : null }
  },
  async record() {
    return game.toRecord(true)
  },
  /** Return the answers of every level and of the heuristics to a question. */
  async think({ name, row, seat, levels, bits }) {
    const search = await open('search', name)
    const view = rowOf(row)
    return { simple: search.choose(view, seat), levels: written(levels.map((level) => search.search(view, seat, level, BigInt(bits)))) }
  },
  async hint({ name, row, seat, seed, known }) {
    const hint = (await open('search', name)).hint(rowOf(row), seat, BigInt(seed), await open('why', name))
    const says = hint.choices.map(({ answers }) => answerText(hint.question, answers, manifest.games[name].cards, (id) => known.includes(id)))
    return { ...hint, choices: hint.choices.map((choice, k) => ({ ...choice, says: says[k] })), says: hintSummary(hint, says) }
  },
  /** Return the reasons for and against an answer compared with a rival, given the counts after both. */
  async because({ name, row, seat, candidate, counts, rival, rivals, side }) {
    const kernel = await open('why', name)
    return kernel.list(rowOf(row), seat, BigInt(candidate), Float64Array.from(counts), BigInt(rival), Float64Array.from(rivals), BigInt(side))
  },
  /** Return the text of made-up advice. */
  async verdict({ behind, tied, unit }) {
    const choices = behind.map((each, k) => ({ behind: each, tied: tied[k] }))
    return hintSummary({ choices, unit, worlds: 1 }, behind.map((_, k) => ['hint-cards', { cards: [`D${k + 2}`] }]))
  },
  async bits({ seeds }) {
    return seeds.map((seed) => String(seedBits(BigInt(seed))))
  },
  /** Review a game: the whole plan, but only these decisions and moments. */
  async review({ name, steps, end, seats, seed, decisions, moments }) {
    const [judge, rules, why] = [await open('review', name), await open('rules', name), await open('why', name)]
    const plan = judge.plan(rules, steps.map((step) => ({ ...step, row: rowOf(step.row) })), rowOf(end), seats, BigInt(seed))
    const judged = decisions.map((k) => judge.judge(plan.tasks[k], why))
    const chances = moments.map((k) => judge.forecast(rules, plan.moments[k]))
    return { plan: written(plan), judged, chances, accounts: resultBreakdowns(plan, judged.filter(Boolean)) }
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { deed, ...values } = JSON.parse(line)
  try {
    console.log(JSON.stringify(await deeds[deed](values)))
  } catch (error) {
    if (!error.id) throw error
    console.log(JSON.stringify({ refused: [error.id, error.values] }))
  }
}
