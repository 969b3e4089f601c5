// Play games with the page's engine, as a program reads one line of what to do after the other.
//   node engine.mjs ENGINE FOLDER < LINES      (ENGINE: web/src/engine, made into one file of JavaScript)
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'

const [engine, folder] = process.argv.slice(2)
const { Mind, OwnGame, Rules } = await import(engine)
const manifest = JSON.parse(await readFile(`${folder}/manifest.json`, 'utf-8'))
const fetch = async (file) => new Uint8Array(await readFile(`${folder}/${file}`))
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16))

const opened = new Map()
const open = async (kind, name) => {
  const key = `${kind} ${name}`
  if (!opened.has(key)) opened.set(key, kind === 'rules' ? await Rules.open(name, manifest, fetch) : await Mind.open(manifest.games[name], fetch))
  return opened.get(key)
}

let game
const deeds = {
  /** A new game. */
  async start({ name, seats, options, secret, nonces }) {
    const players = Array.from({ length: seats }, (_, seat) => `Seat ${seat}`)
    let time = 1000
    const header = { seats, options, players, seated: players.map(() => 'person'), secret: bytes(secret), nonces: nonces.map(bytes) }
    game = new OwnGame(await open('rules', name), header, manifest.record, () => time++)
    return { told: game.rules.heard(game.opening, null) }
  },
  async answer({ seat, question, answer, as }) {
    const log = game.answer(seat, question, answer)
    return { told: game.rules.heard(log, null), heard: as === undefined ? null : game.rules.heard(log, as) }
  },
  async undo({ seat, to }) {
    game.undo(seat, to)
    return {}
  },
  async look({ seat }) {
    return { view: game.view(seat), asks: game.asks(), over: game.over, result: game.result }
  },
  async record() {
    return game.toRecord(true)
  },
  async think({ name, row, seat, level, bits }) {
    const mind = await open('mind', name)
    const found = mind.think(BigInt64Array.from(row, BigInt), seat, level, BigInt(bits))
    return { ...found, candidates: found.candidates.map(String) }
  },
  async choose({ name, row, seat }) {
    return { answer: (await open('mind', name)).choose(BigInt64Array.from(row, BigInt), seat) }
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
