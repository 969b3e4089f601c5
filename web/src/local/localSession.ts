// The session of an open local table: viewers, new entries, bots and their delays (`server/tables/bots.py`).
import { EngineError, type Row } from '../engine'
import type { CommittedResponse, TableUpdate } from '../client/types'
import type { StoredEntry, LocalTableStore } from './localTableStore'
import type { LocalTable } from './localTable'

const BOT_DELAYS_MS = { quick: 400, steady: 800, calm: 1800 }
const FAST_FORWARD_DELAY_MS = 100
const RETRY_DELAY_MS = 3000 // after a bot failed

/** The services that a session needs. */
export interface SessionDependencies {
  store: LocalTableStore
  chooseAnswer(game: string, row: Row, seat: number, level: string, bits: bigint): Promise<number>
  /** Return milliseconds since 1970. */
  now(): number
  sleep(ms: number): Promise<void>
  /** Request the writer lock of a table; see `browserServices.ts`. */
  writerLock(id: string, changed: (mine: boolean) => void): { take(): Promise<void>; drop(): void }
  /** Notify other tabs of a change to a table. */
  notifyTabs(id: string): void
  /** Called when an entry could not be stored. Play continues, and the page shows a notice. */
  onStorageFailure(): void
  /** Called when a bot fails or works again. Until then the game waits, and the page shows a notice. */
  onBotFailure(why: Error | null): void
}

export interface TableListener {
  onMessage(message: TableUpdate): void
  since: number | null
}

export class LocalSession {
  readonly #listeners = new Set<TableListener>()
  readonly #thinking = new Set<number>()
  readonly #writerLock: ReturnType<SessionDependencies['writerLock']>
  #isWriter = false
  #fastForwarding = false
  /** Operations on the table run one after the other. */
  #queue: Promise<unknown> = Promise.resolve()
  /** Resolves when the bot delay changes. */
  #delayChange!: { changed: Promise<void>; change: () => void }

  constructor(
    readonly table: LocalTable,
    private readonly tools: SessionDependencies,
  ) {
    this.#changeDelay()
    this.#writerLock = tools.writerLock(table.stored.id, (mine) => {
      this.#isWriter = mine
      if (mine) void this.#enqueue(() => this.#catchUp()).then(this.#startBots)
    })
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0
  }

  /** Subscribe to updates, beginning with the current state. */
  listen(onMessage: TableListener['onMessage']): () => void {
    const listener: TableListener = { onMessage: onMessage, since: null }
    this.#listeners.add(listener)
    this.#notify(listener)
    this.#startBots()
    return () => {
      this.#listeners.delete(listener)
      if (!this.isWatched) this.#writerLock.drop()
    }
  }

  /** Give the player's answer. */
  answer = (n: number, answers: string[]): Promise<CommittedResponse> => this.#act(() => this.table.answers(this.table.seat, n, answers))

  undo = (n: number, to: number): Promise<CommittedResponse> => this.#act(() => this.table.undoEntry(n, to))

  /** Skip bot delays until the player is to act. */
  fastForward(): void {
    if (this.table.toAct.includes(this.table.seat)) return
    this.#fastForwarding = true
    this.#changeDelay()
  }

  async setBotSpeed(pace: LocalTable['stored']['pace']): Promise<void> {
    await this.change({ pace })
    this.#changeDelay()
  }

  /** Change data of the stored table other than its game, such as the bot speed. */
  change(change: Partial<LocalTable['stored']>): Promise<void> {
    return this.#enqueue(async () => {
      await this.tools.store.change(this.table.stored.id, change)
      Object.assign(this.table.stored, change)
      this.table.markChanged()
      this.#notifyAll()
    })
  }

  /** Load changes made by another tab. */
  catchUp = (): Promise<void> => this.#enqueue(() => this.#catchUp())

  #changeDelay(): void {
    this.#delayChange?.change()
    let change = (): void => {}
    const changed = new Promise<void>((done) => (change = done))
    this.#delayChange = { changed, change }
  }

  #enqueue<T>(what: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(what)
    this.#queue = done.catch(() => {})
    return done
  }

  /** Act in this tab, which takes the writer lock. */
  async #act(lines: () => string[]): Promise<CommittedResponse> {
    await this.#writerLock.take()
    await this.#enqueue(async () => {
      await this.#catchUp()
      await this.#add(lines())
    })
    return { n: this.table.n, version: this.table.message(this.table.n).version }
  }

  /** Store entries, then apply them, then notify the viewers. */
  async #add(lines: string[]): Promise<void> {
    const { table, tools } = this
    const at = tools.now()
    const entries: StoredEntry[] = lines.map((line, k) => ({ n: table.n + k, line, at }))
    try {
      if (!(await tools.store.add(table.stored.id, entries, table.statusAfter(entries)))) {
        await this.#catchUp()
        throw new EngineError('table-quicker')
      }
    } catch (error) {
      if (error instanceof EngineError) throw error
      tools.onStorageFailure() // storage is full or unavailable
    }
    for (const entry of entries) table.apply(entry)
    tools.notifyTabs(table.stored.id)
    this.#notifyAll()
    this.#startBots()
  }

  /** Load and apply entries stored by another tab. */
  async #catchUp(): Promise<void> {
    const { table } = this
    const stored = await this.tools.store.entries(table.stored.id, table.n).catch(() => [])
    for (const entry of stored) if (entry.n === table.n) table.apply(entry)
    if (stored.length) this.#notifyAll()
  }

  #notifyAll(): void {
    for (const listener of this.#listeners) this.#notify(listener)
  }

  #notify(listener: TableListener): void {
    const message = this.table.message(listener.since)
    listener.since = message.n
    listener.onMessage(message)
  }

  /** Start the bots that are to act. */
  #startBots = (): void => {
    const { table } = this
    if (!this.#isWriter || !this.isWatched || table.over) return
    if (table.toAct.includes(table.seat)) this.#fastForwarding = false
    for (const seat of table.toAct) {
      const [kind, level] = table.stored.places[seat]!.split(':')
      if (kind !== 'bot' || this.#thinking.has(seat)) continue
      this.#thinking.add(seat)
      void this.#playBot(seat, level!).finally(() => {
        this.#thinking.delete(seat)
        this.#startBots()
      })
    }
  }

  /** Find and give one answer of a bot. */
  async #playBot(seat: number, level: string): Promise<void> {
    const { table, tools } = this
    const n = table.n
    const askedAt = tools.now()
    const carriesOn = table.appliesTo(seat)
    let answer: string
    try {
      const [view, bits] = table.botInput(seat)
      const number = await tools.chooseAnswer(table.stored.game, view, seat, level, bits)
      tools.onBotFailure(null)
      answer = table.answerText(number)
    } catch (error) {
      tools.onBotFailure(error as Error)
      return await tools.sleep(RETRY_DELAY_MS)
    }
    await this.#waitForDelay(askedAt, carriesOn)
    await this.#enqueue(async () => {
      if (this.#isWriter && this.isWatched && table.isOpen(seat, n)) await this.#add(table.answers(seat, n, [answer]))
    }).catch((error: unknown) => {
      if (!(error instanceof EngineError)) throw error // another answer came first
    })
  }

  /** Wait until a bot's answer is due: at a multiple of the delay since the question, so that thinking time reveals nothing (R5). */
  async #waitForDelay(asked: number, carriesOn: boolean): Promise<void> {
    for (let foundAt = this.tools.now(), changed = true; changed; foundAt = this.tools.now()) {
      const delay = carriesOn || this.#fastForwarding ? FAST_FORWARD_DELAY_MS : BOT_DELAYS_MS[this.table.stored.pace]
      const due = asked + Math.max(1, Math.ceil((foundAt - asked) / delay)) * delay
      changed = await Promise.race([this.tools.sleep(due - foundAt).then(() => false), this.#delayChange.changed.then(() => true)])
    }
  }
}
