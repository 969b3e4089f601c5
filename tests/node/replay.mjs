// Replay Python's games in a Wasm module, and report the first difference. node replay.mjs FOLDER < GAMES
// (one game per line: see tests/test_wasm.py)
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const folder = process.argv[2]
const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf-8'))
const tables = new Map()

/** Open a module with space for a row and everything that its functions read and write. */
async function open(name) {
  const game = manifest.games[name]
  const code = readFileSync(`${folder}/${game.play.file}`)
  if (createHash('sha256').update(code).digest('hex') !== game.play.sha256) throw new Error(`${game.play.file} is not what it should be`)
  const { instance } = await WebAssembly.instantiate(code, {})
  const { memory, ...offered } = instance.exports
  let at = game.play.free
  const room = (numbers) => (at += 8 * numbers) - 8 * numbers
  const failed = room(2)
  const places = {
    row: room(game.row), seen: room(game.row), cut: room(manifest.seats), deck: room(60),
    log: room(manifest.log.rows * manifest.log.width), packets: room(manifest.laid_out), out: room(32),
  }
  const call = (what, ...values) => {
    if (offered[what](failed, failed + 8, ...values)) throw new Error(`${what} of ${name} failed`)
  }
  const numbers = (place, length) => new BigInt64Array(memory.buffer, places[place], length)
  return { game, memory, places, call, numbers }
}

function play({ game, memory, places, call, numbers }, { row, cut, steps, digests }) {
  const { row: at, seen, log, out, packets } = places
  numbers('row', game.row).set(row.map(BigInt))
  numbers('cut', cut.length).set(cut.map(BigInt))
  call('start', at, places.cut)
  const seats = Number(numbers('row', 1)[0])
  for (const [n, step] of steps.entries()) {
    const digest = createHash('sha256')
    const say = (place, length) => digest.update(new Uint8Array(memory.buffer, places[place], 8 * length))
    numbers('log', 1)[0] = 0n
    if (step.deck) {
      call('pack', at, out)
      say('out', 1)
      numbers('deck', step.deck.length).set(step.deck.map(BigInt))
      call('deal', at, places.deck, log)
      call('laid_out', at, packets, out)
      say('out', 2)
      say('packets', Number(numbers('out', 2)[1]))
    } else {
      const seat = BigInt(step.seat)
      call('legal', at, seat, out)
      say('out', 1)
      for (const other of step.illegal) {
        call('why_not', at, seat, BigInt(other), out)
        say('out', 2)
      }
      call('step', at, seat, BigInt(step.answer), log)
    }
    say('row', game.row)
    say('log', manifest.log.width * (1 + Number(numbers('log', 1)[0])))
    for (let seat = -1; seat < seats; seat++) {
      for (const remembers of [0n, 1n]) {
        call('view', at, at, BigInt(seat), remembers, seen)
        say('seen', game.row)
      }
    }
    numbers('out', 3 * manifest.seats).fill(0n)
    call('standing', at, out)
    say('out', 3 * manifest.seats)
    if (step.over) {
      numbers('out', 1 + manifest.seats).fill(0n)
      call('ending', at, out)
      say('out', 1 + manifest.seats)
      if (game.facts.length) {
        numbers('out', 2 + manifest.seats).fill(0n)
        call('facts', at, out)
        say('out', 2 + manifest.seats)
      }
    }
    if (digest.digest('hex').slice(0, 16) !== digests[n]) return n
  }
  return -1
}

let games = 0
for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line)
  if (!tables.has(told.game)) tables.set(told.game, await open(told.game))
  const n = play(tables.get(told.game), told)
  games += 1
  if (n >= 0) {
    console.log(`${told.variant}, game ${told.seed}: step ${n} comes out differently: ${JSON.stringify(told.steps[n]).slice(0, 200)}`)
    process.exit(1)
  }
}
console.log(`${games} games are the same`)
