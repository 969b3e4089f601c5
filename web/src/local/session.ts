// A table that is open here: who is told of it, what is added to it, and its bots, who answer on its beat (`server/work/pace.py`).
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { Refused, type Row } from '../engine'
import type { Done, Message } from '../client/types'
import type { Entry, Store } from './storage'
import type { OwnTable } from './localTable'

const BEATS = { quick: 400, steady: 800, calm: 1800 } // milliseconds
const HURRIED = 100 // milliseconds
const AGAIN = 3000 // milliseconds, until a bot that could not think is asked once more

/** What a table needs besides itself. */
export interface Tools {
  store: Store
  think(game: string, row: Row, seat: number, level: string, bits: bigint): Promise<number>
  /** Milliseconds since 1970. */
  now(): number
  wait(ms: number): Promise<void>
  /** Who may write at a table; see `browser.ts`. */
  pen(id: string, changed: (mine: boolean) => void): { take(): Promise<void>; drop(): void }
  /** Other tabs hear that something has happened at a table; and this one hears it of them. */
  tell(id: string): void
  /** Something could not be kept: play goes on, and the page says so. */
  lost(): void
  /** A bot could not think, or thinks again after that: the game stands still meanwhile, and the page says so. */
  stuck(why: Error | null): void
}

export interface Listener {
  heard(message: Message): void
  since: number | null
}

export class Sitting {
  readonly #listeners = new Set<Listener>()
  readonly #thinking = new Set<number>()
  readonly #pen: ReturnType<Tools['pen']>
  #mine = false
  #hurried = false
  /** What is done at the table is done one after the other. */
  #turn: Promise<unknown> = Promise.resolve()
  /** Ends when bots that wait for their beat have another one. */
  #tempo!: { changed: Promise<void>; change: () => void }

  constructor(
    readonly table: OwnTable,
    private readonly tools: Tools,
  ) {
    this.#changeTempo()
    this.#pen = tools.pen(table.kept.id, (mine) => {
      this.#mine = mine
      if (mine) void this.#next(() => this.#catchUp()).then(this.#look)
    })
  }

  get listened(): boolean {
    return this.#listeners.size > 0
  }

  /** Be told of the table as it is, and of all that happens. */
  listen(heard: Listener['heard']): () => void {
    const listener: Listener = { heard, since: null }
    this.#listeners.add(listener)
    this.#tellOne(listener)
    this.#look()
    return () => {
      this.#listeners.delete(listener)
      if (!this.listened) this.#pen.drop()
    }
  }

  /** The person answers. */
  answer = (n: number, answers: string[]): Promise<Done> => this.#do(() => this.table.answers(this.table.seat, n, answers))

  undo = (n: number, to: number): Promise<Done> => this.#do(() => this.table.stepBack(n, to))

  /** Bots make haste until the person is asked. */
  hurry(): void {
    if (this.table.toAct.includes(this.table.seat)) return
    this.#hurried = true
    this.#changeTempo()
  }

  async setPace(pace: OwnTable['kept']['pace']): Promise<void> {
    await this.change({ pace })
    this.#changeTempo()
  }

  /** Something besides the game changes. */
  change(change: Partial<OwnTable['kept']>): Promise<void> {
    return this.#next(async () => {
      await this.tools.store.change(this.table.kept.id, change)
      Object.assign(this.table.kept, change)
      this.table.changed()
      this.#tellAll()
    })
  }

  /** Another tab has done something. */
  look = (): Promise<void> => this.#next(() => this.#catchUp())

  #changeTempo(): void {
    this.#tempo?.change()
    let change = (): void => {}
    const changed = new Promise<void>((done) => (change = done))
    this.#tempo = { changed, change }
  }

  #next<T>(what: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(what)
    this.#turn = done.catch(() => {})
    return done
  }

  /** What the person does here, they do in this tab: the pen comes along. */
  async #do(lines: () => string[]): Promise<Done> {
    await this.#pen.take()
    await this.#next(async () => {
      await this.#catchUp()
      await this.#add(lines())
    })
    return { n: this.table.n, version: this.table.message(this.table.n).version }
  }

  /** Entries are kept, then they have happened, then they are told. */
  async #add(lines: string[]): Promise<void> {
    const { table, tools } = this
    const at = tools.now()
    const entries: Entry[] = lines.map((line, k) => ({ n: table.n + k, line, at }))
    try {
      if (!(await tools.store.add(table.kept.id, entries, table.standingAfter(entries)))) {
        await this.#catchUp()
        throw new Refused('table-quicker')
      }
    } catch (error) {
      if (error instanceof Refused) throw error
      tools.lost() // no room, or none any more
    }
    for (const entry of entries) table.apply(entry)
    tools.tell(table.kept.id)
    this.#tellAll()
    this.#look()
  }

  /** What has been kept meanwhile, by another tab. */
  async #catchUp(): Promise<void> {
    const { table } = this
    const kept = await this.tools.store.entries(table.kept.id, table.n).catch(() => [])
    for (const entry of kept) if (entry.n === table.n) table.apply(entry)
    if (kept.length) this.#tellAll()
  }

  #tellAll(): void {
    for (const listener of this.#listeners) this.#tellOne(listener)
  }

  #tellOne(listener: Listener): void {
    const message = this.table.message(listener.since)
    listener.since = message.n
    listener.heard(message)
  }

  /** See which bots are to answer. */
  #look = (): void => {
    const { table } = this
    if (!this.#mine || !this.listened || table.over) return
    if (table.toAct.includes(table.seat)) this.#hurried = false
    for (const seat of table.toAct) {
      const [kind, level] = table.kept.places[seat]!.split(':')
      if (kind !== 'bot' || this.#thinking.has(seat)) continue
      this.#thinking.add(seat)
      void this.#play(seat, level!).finally(() => {
        this.#thinking.delete(seat)
        this.#look()
      })
    }
  }

  /** One answer of a bot. */
  async #play(seat: number, level: string): Promise<void> {
    const { table, tools } = this
    const n = table.n
    const asked = tools.now()
    const carriesOn = table.carriesOn(seat)
    let answer: string
    try {
      const number = await tools.think(table.kept.game, table.seen(seat), seat, level, this.#bits(n, seat))
      tools.stuck(null)
      answer = table.called(number)
    } catch (error) {
      tools.stuck(error as Error)
      return await tools.wait(AGAIN)
    }
    await this.#beat(asked, carriesOn)
    await this.#next(async () => {
      if (this.#mine && this.listened && table.isOpen(seat, n)) await this.#add(table.answers(seat, n, [answer]))
    }).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error // someone was quicker
    })
  }

  /** Until an answer that was found is given: on the first beat after it was, counted from when it was asked (R5). */
  async #beat(asked: number, carriesOn: boolean): Promise<void> {
    for (let found = this.tools.now(), changed = true; changed; found = this.tools.now()) {
      const beat = carriesOn || this.#hurried ? HURRIED : BEATS[this.table.kept.pace]
      const due = asked + Math.max(1, Math.ceil((found - asked) / beat)) * beat
      changed = await Promise.race([this.tools.wait(due - found).then(() => false), this.#tempo.changed.then(() => true)])
    }
  }

  /** What a bot decides by chance: the same again, should it be asked anew. */
  #bits(n: number, seat: number): bigint {
    const bytes = sha256(utf8ToBytes(`${this.table.kept.secret} bot ${seat} at ${n}`))
    return new DataView(bytes.buffer).getBigUint64(0)
  }
}
