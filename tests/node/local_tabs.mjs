// Run local tables in several tabs that share their storage: each scenario prints its results, one per line. node
// local_tabs.mjs OWN FOLDER SCENARIO
import { readFile } from 'node:fs/promises'

const [script, folder, scenario] = process.argv.slice(2)
const { jobHandlers, LocalServer, MemoryStore } = await import(script)
const read = async (file) => new Uint8Array(await readFile(`${folder}/${file}`))
const manifest = JSON.parse(await readFile(`${folder}/manifest.json`, 'utf-8'))
const say = (what) => console.log(JSON.stringify(what))
let drawn = 1 // so that the cards are the same in each run
crypto.getRandomValues = (bytes) => bytes.map(() => (drawn = (Math.imul(drawn, 1664525) + 1013904223) >>> 0) >>> 24)

/** The writer locks of all tabs. The first to ask holds a lock until another takes it or it is dropped. */
class Pens {
  holders = new Map()
  writerLock = (id, changed) => {
    const queue = this.holders.get(id) ?? this.holders.set(id, []).get(id)
    const mine = { changed }
    queue.push(mine)
    if (queue[0] === mine) queueMicrotask(() => changed(true))
    const move = (where) => {
      const before = queue[0]
      queue.splice(queue.indexOf(mine), 1)
      where()
      if (queue[0] === before) return
      before.changed(false)
      queue[0]?.changed(true)
    }
    return { take: async () => queue[0] === mine || move(() => queue.unshift(mine)), drop: () => queue.includes(mine) && move(() => {}) }
  }
}

const pens = new Pens()
const store = new MemoryStore()
const tabs = []
let now = 1_000
/** Open a tab whose bots give the first legal answer to the row that they get. */
function tab(more = {}) {
  const heard = []
  const server = new LocalServer({
    store,
    manifest: async () => manifest,
    fetch: read,
    now: () => (now += 10),
    sleep: (ms) => new Promise((done) => setTimeout(done, Math.min(ms, 1))),
    writerLock: pens.writerLock,
    notifyTabs: (id) => tabs.filter((one) => one.server !== server).forEach((one) => void one.server.onChange(id)),
    onStorageFailure: () => say('not kept'),
    onBotFailure() {},
    hasMessage: (id) => !id.startsWith('hint-answer-'),
    reviewers: () => ({ runners: [], end() {} }),
    chooseAnswer: async (game, row, seat) => (await server.rules(game)).legal(row, seat)[0],
    ...more,
  })
  const made = { server, heard, latest: () => heard.at(-1) }
  tabs.push(made)
  return made
}
const listen = (one, id) => one.server.listen(`/api/tables/${id}/stream`, (message) => one.heard.push(message))
const ask = (one, id, what, body = {}) => one.server.ask(`/api/tables/${id}/${what}`, body)
const until = async (what) => {
  const end = Date.now() + 60_000
  while (!what()) {
    if (Date.now() > end) throw new Error(`It never came to this: ${what}`)
    await new Promise((done) => setTimeout(done, 1))
  }
}
const wish = (game, seats, more = {}) => ({
  game, seats, options: {}, places: ['me', ...Array(seats - 1).fill('bot:3')], pace: 'quick', name: 'Ann', ...more,
})
const answerOf = ({ open_question: { question, legal } }) => `${question} ${legal.at(-1)}`
const refused = (promise) => promise.then(() => null, (error) => error.id)

/** Let Ann answer until the end, with bots that answer by themselves. */
async function play(one, id) {
  while (!one.latest().result) {
    await until(() => one.latest().open_question || one.latest().result)
    if (one.latest().result) break
    await ask(one, id, 'answers', { n: one.latest().n, answers: [answerOf(one.latest())] })
  }
}

const scenarios = {
  /** A short game of crystals with hints for the first questions, and its review. */
  async 'hints and a review'() {
    const ask_ = jobHandlers(async () => manifest, read)
    const think = (what, ...given) => ask_[what](...given)
    const apart = (...given) => new Promise((done) => setTimeout(done)).then(() => think(...given)) // as if in a worker
    const asks = [apart, apart]
    let ended = 0
    const known = process.argv[5].split(',')
    const one = tab({
      chooseAnswer: ask_.think,
      runJob: think,
      reviewers: () => ({ runners: asks, end: () => ended++ }),
      hasMessage: (id) => known.includes(id),
    })
    const { id } = await one.server.create(wish('crystals', 3, { options: { rounds: 1 }, places: ['bot:1', 'me', 'bot:simple'] }))
    await listen(one, id)
    say({ early: await refused(ask(one, id, 'review')) })
    for (let number = 0; !one.latest().result; ) {
      await until(() => one.latest().open_question || one.latest().result)
      if (one.latest().result) break
      const { n } = one.latest()
      if (one.latest().open_question.legal.length > 1 && number++ < 3) say({ n, hint: await ask(one, id, 'hint') })
      await ask(one, id, 'answers', { n, answers: [answerOf(one.latest())] })
    }
    say({ late: await refused(ask(one, id, 'hint')) })
    const steps = new Set()
    let review
    for (;;) {
      review = await ask(one, id, 'review')
      if ('results' in review) break
      steps.add(review.done)
      await new Promise((done) => setTimeout(done, 1))
    }
    say({ id, record: await ask(one, id, 'record'), review, progress: steps.size > 2, ended })
  },
  async 'a whole game, and the next'() {
    const one = tab()
    const { id } = await one.server.create(wish('fourteen', 4))
    await listen(one, id)
    await play(one, id)
    say({ over: one.latest().table.phase, listed: (await one.server.list()).map(({ over, turn }) => ({ over, turn })) })
    say({ fair: (await ask(one, id, 'verify')).findings[0][0], lines: (await ask(one, id, 'score-pad')).lines.length > 0 })
    const next = await ask(one, id, 'rematch')
    say({ seat: await listen(one, next.id).then(() => one.latest().seat), same: (await ask(one, id, 'rematch')).id === next.id })
    const steps = (await ask(one, id, 'replay')).steps
    const fork = await ask(one, id, 'fork', { n: 5, seat: 2, level: '5' })
    await listen(one, fork.id)
    const { n, seat, table } = one.latest()
    say({ n, seat, fork: table.fork.n, deals: table.commitment === fork.commitment, steps: steps.length > 5 })
    say(await ask(one, fork.id, 'record'))
  },
  async 'two tabs'() {
    const [one, other] = [tab(), tab()]
    const { id } = await one.server.create(wish('mines', 2))
    await listen(one, id)
    await listen(other, id)
    await until(() => one.latest().open_question && other.latest().n === one.latest().n)
    const n = one.latest().n
    await ask(other, id, 'answers', { n, answers: [answerOf(other.latest())] })
    await until(() => one.latest().n > n && one.latest().open_question && other.latest().n === one.latest().n)
    say({ refused: await refused(ask(one, id, 'answers', { n, answers: [answerOf(one.latest())] })) })
    await ask(one, id, 'answers', { n: one.latest().n, answers: [answerOf(one.latest())] })
    await until(() => other.latest().n === one.latest().n)
    say({ same: JSON.stringify((await ask(one, id, 'record')).entries) === JSON.stringify((await ask(other, id, 'record')).entries) })
  },
  async 'two tabs that both hold the writer lock'() {
    const free = { writerLock: (id, changed) => (queueMicrotask(() => changed(true)), { take: async () => {}, drop() {} }), notifyTabs() {} }
    const [one, other] = [tab(free), tab(free)]
    const { id } = await one.server.create(wish('mines', 2))
    await listen(one, id)
    await until(() => one.latest().open_question)
    await listen(other, id)
    const n = one.latest().n
    const given = { n, answers: [answerOf(one.latest())] }
    const both = await Promise.all([refused(ask(one, id, 'answers', given)), refused(ask(other, id, 'answers', given))])
    say({ refused: both.filter((why) => why).length })
    const kept = await store.entries(id, 0)
    say({ once: kept.every((entry, k) => entry.n === k) })
  },
  async 'no room'() {
    const one = tab()
    const { id } = await one.server.create(wish('mines', 2))
    await listen(one, id)
    await until(() => one.latest().open_question)
    store.add = async () => {
      throw new Error('QuotaExceededError')
    }
    const n = one.latest().n
    await ask(one, id, 'answers', { n, answers: [answerOf(one.latest())] })
    await until(() => one.latest().open_question && one.latest().n > n)
    say({ kept: (await store.entries(id, 0)).length === n })
    process.exit() // otherwise bots would play on
  },
  async 'stored before it is shown'() {
    const one = tab()
    const { id } = await one.server.create(wish('crystals', 3))
    await listen(one, id)
    const add = store.add.bind(store)
    let early = 0
    store.add = async (at, entries, standing) => {
      await new Promise((done) => setTimeout(done, 2))
      if (one.latest().n > entries[0].n) early++
      return await add(at, entries, standing)
    }
    for (let k = 0; k < 12; k++) {
      await until(() => one.latest().open_question)
      await ask(one, id, 'answers', { n: one.latest().n, answers: [answerOf(one.latest())] })
    }
    say({ early })
    const step = one.latest().undo_last
    await until(() => one.latest().open_question)
    await ask(one, id, 'undo', { n: one.latest().n, to: one.latest().undo_last })
    say({ asked: one.latest().open_question !== null, told: one.latest().events.at(-1).event.event, step: step !== null })
    process.exit() // otherwise bots would play on
  },
  async 'files'() {
    const one = tab()
    const { id } = await one.server.create(wish('fourteen', 4))
    await listen(one, id)
    await play(one, id)
    await one.server.create(wish('mines', 2))
    const text = (await one.server.records()).map((record) => JSON.stringify(record)).join('\n')
    const before = await ask(one, id, 'record')
    for (const stored of await store.list()) await store.remove(stored.id)
    const other = tab()
    say({ brought: await other.server.importFile(text), again: await other.server.importFile(text), listed: (await other.server.list()).length })
    say({ same: JSON.stringify(await ask(other, id, 'record')) === JSON.stringify(before) })
    const wrong = [{ ...before, own: '', entries: ['0 play H7', '1 play H7'] }, { ...before, own: '', secret: 'zz' }, { game: 'fourteen' }, [], null]
    wrong.push({ ...before, own: '', seated: ['person', 'open', 'bot:3', 'bot:3'] }, { ...before, own: '', game: 'chess' })
    const lines = wrong.map((record) => JSON.stringify(record)).join('\n')
    say({ wrong: await other.server.importFile(lines), none: await other.server.importFile('no file of games') })
    say(before)
  },
}
await scenarios[scenario]()
process.exit()
