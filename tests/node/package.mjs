// Use the installed package `diamonds-engine`; print the results as lines of JSON. node package.mjs PACKAGE REQUEST <
// INPUT (PACKAGE: the address of its entry point for Node)
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'

const [door, deed] = process.argv.slice(2)
const { openEngine } = await import(door)
const given = JSON.parse((await text(process.stdin)) || 'null')
const why = (promise) => promise.then(() => null, (error) => (error.id ? [error.id, error.values] : error.message))

const looked = () => {
  throw new Error('a bot looked at what lies hidden')
}

const deeds = {
  /** Play whole games with a bot of a level in each seat. */
  async play() {
    const engine = await openEngine()
    const played = []
    for (const { game, seats, options, levels } of given) {
      const one = await engine.start(game, { seats, options, seated: levels.map((level) => `bot:${level}`), nonces: levels.map((_, k) => Uint8Array.of(k, 7)) })
      const bots = await Promise.all(levels.map((level) => engine.bot(game, level)))
      const mind = await engine.mind(game)
      let alike = true
      const blind = Object.create(one, { whole: { get: looked } })
      const before = { commitment: one.commitment, secret: one.toRecord().secret }
      for (let n = 0; !one.over; n++) {
        const [{ seat, question }] = one.asks()
        const answer = bots[seat](blind, seat, BigInt(n))
        if (levels[seat] !== 'simple' && n % 4 === 0) {
          const { answers } = one.rules.info.questions.find(({ name }) => name === question)
          alike &&= answer === answers[mind.think(one.seen(seat), seat, levels[seat], BigInt(n)).answer]
        }
        one.answer(seat, question, answer)
      }
      played.push({ before, alike, record: one.toRecord(), view: one.view(-1) })
    }
    return { played, games: engine.games, levels: engine.levels('mines') }
  },
  /** Return the results of verifying records. */
  async verify() {
    const engine = await openEngine()
    const found = []
    for (const record of given) found.push(await why(engine.verify(record).then((game) => given.length > 1 || game.result)))
    return found
  },
  /** Return the games that open, and the errors of the others. */
  async open() {
    const opened = await openEngine().then((engine) => engine, (error) => error.message)
    if (typeof opened === 'string') return { manifest: opened }
    const kinds = ['rules', 'mind', 'judge', 'reasons'].flatMap((kind) => opened.games.map((game) => [`${kind} ${game}`, () => opened[kind](game)]))
    return Object.fromEntries(await Promise.all(kinds.map(async ([name, open]) => [name, await why(open())])))
  },
  /** Ask for missing files, and for modules from another place. */
  async ask() {
    const engine = await openEngine()
    const from = await openEngine({ from: async (file) => new Uint8Array(await readFile(new URL(file, given.folder))) })
    const folder = await openEngine({ from: given.folder })
    return {
      game: await why(engine.rules('chess')),
      inherited: await why(engine.bot('constructor', '5')),
      level: await why(engine.bot('mines', '6')),
      seats: await why(engine.start('mines', { seats: 3 })),
      text: await why(engine.verify('{')),
      elsewhere: [(await from.rules('mines')).info.version, (await folder.rules('mines')).info.version],
    }
  },
}
console.log(JSON.stringify(await deeds[deed]()))
