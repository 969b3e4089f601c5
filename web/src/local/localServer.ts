// The local server: it answers requests for local tables like a server, by the same addresses and messages.
import { bytesToHex } from '@noble/hashes/utils.js'
import { checkOptions, newSecret, readRecord, EngineError, RulesModule, type FetchFile, type Manifest } from '../engine'
import type { Value } from '../client/options'
import type { TableCreatedResponse, TableInfo, TableUpdate } from '../client/types'
import { LocalAnalysis, type AnalysisTools } from './analysis'
import type { StoredEntry, StoredTable } from './storage'
import { storedFrom, parseRecords } from './importRecord'
import { LocalSession, type SessionTools } from './session'
import { LocalTable } from './localTable'

/** What somebody wants to play: `places` has `me` once, and else `bot:LEVEL`. */
export interface NewLocalTable {
  game: string
  seats: number
  options: Record<string, Value>
  places: string[]
  pace: TableInfo['bot_speed']
  hints?: boolean | null
  name: string
}

export interface ServerTools extends SessionTools, AnalysisTools {
  manifest(): Promise<Manifest>
  fetch: FetchFile
}

/** What is said to a table, whichever of it belongs to what is said. */
interface ActionBody {
  n: number
  to: number
  answers: string[]
  bot_speed: TableInfo['bot_speed']
  seat: number
  level: string
}

/** A table that is open: one that is kept, or another that is told and asked in the same way. */
export type OpenTable = Pick<LocalSession, 'table' | 'isWatched' | 'listen' | 'answer' | 'undo' | 'fastForward' | 'setBotSpeed' | 'change' | 'catchUp'>

const PATH = /^\/api\/tables\/([^/?]+)\/([a-z-]+)/

export class LocalServer {
  readonly #sessions = new Map<string, Promise<OpenTable>>()
  readonly #rules = new Map<string, Promise<RulesModule>>()
  readonly #analysis: LocalAnalysis
  #manifest: Promise<Manifest> | null = null

  constructor(private readonly needs: ServerTools) {
    this.#analysis = new LocalAnalysis(needs)
  }

  /** What can be played here. */
  manifest(): Promise<Manifest> {
    this.#manifest ??= this.needs.manifest().catch((error: unknown) => {
      this.#manifest = null
      throw error
    })
    return this.#manifest
  }

  /** Until nobody listens to it any more, a table is asked and told by its id that is not kept. */
  attach = (id: string, seated: OpenTable): void => void this.#sessions.set(id, Promise.resolve(seated))

  /** A new table, whose game begins at once. */
  create = (request: NewLocalTable): Promise<TableCreatedResponse> => this.#create(request, {}, [])

  list = (): Promise<StoredTable[]> => this.needs.store.list()

  remove = (id: string): Promise<void> => this.needs.store.remove(id)

  /** All tables that can be opened, each as a record, which also says its name here. */
  async records(): Promise<Record<string, unknown>[]> {
    const found = []
    for (const { id } of await this.list()) {
      const table = await this.#read(id).catch((error: unknown) => {
        if (!(error instanceof EngineError)) throw error
        return null // by rules that are not known here
      })
      if (table) found.push({ ...table.toRecord(), own: id })
    }
    return found
  }

  /** Bring tables from a text with a record on each line, or one in all; returns how many are here now that were not. */
  async importFile(text: string): Promise<number> {
    let number = 0
    const found = parseRecords(text)
    for (const record of found) {
      const read = storedFrom(record, this.needs.now())
      if (!read || (await this.needs.store.find(read.kept.id))) continue
      try {
        const table = new LocalTable(read.kept, await this.rules(read.kept.game), '')
        for (const entry of read.entries) table.apply(entry)
        await this.needs.store.make({ ...read.kept, ...table.status }, read.entries)
        number++
      } catch (error) {
        if (!(error instanceof EngineError)) throw error // it was no game that can go on here
        if (found.length > 1) continue
        readRecord(record, await this.rules(read.kept.game), (await this.manifest()).record) // it says what the server would
        throw error
      }
    }
    return number
  }

  /** What the page asks of a table, or says to it. */
  async ask(path: string, request: unknown): Promise<unknown> {
    const [, id, what] = PATH.exec(path)!
    const { table, session: session } = await this.#open(id!)
    const body = request as ActionBody
    switch (what) {
      case 'answers':
        return await session.answer(body.n, body.answers)
      case 'undo':
        return await session.undo(body.n, body.to)
      case 'fast-forward':
        return session.fastForward()
      case 'bot-speed':
        return await session.setBotSpeed(body.bot_speed)
      case 'rematch':
        return await this.#rematch(session)
      case 'fork':
        return await this.#fork(table, body.n, body.seat, body.level)
      case 'hint':
        if (!table.tableInfo().hints) throw new EngineError('hint-none-here')
        return await this.#analysis.hint(table)
      case 'review':
        return this.#analysis.review(table)
      case 'score-pad':
        return table.pad()
      case 'replay':
        return table.replay()
      case 'record':
        return table.toRecord()
      case 'verify':
        return table.verify()
      default:
        throw new EngineError('table-not-here')
    }
  }

  /** Be told of a table; returns how that ends. */
  async listen(path: string, onMessage: (message: TableUpdate) => void): Promise<() => void> {
    const [, id] = PATH.exec(path)!
    const { session: session } = await this.#open(id!)
    const end = session.listen(onMessage)
    return () => {
      end()
      if (!session.isWatched) this.#sessions.delete(id!)
    }
  }

  /** Another tab has done something at a table. */
  async onChange(id: string): Promise<void> {
    await (await this.#sessions.get(id))?.catchUp()
  }

  async #open(id: string): Promise<{ session: OpenTable; table: LocalTable }> {
    let session = this.#sessions.get(id)
    if (!session) {
      session = this.#openSession(id)
      this.#sessions.set(id, session)
      session.catch(() => this.#sessions.delete(id))
    }
    return { session: await session, table: (await session).table }
  }

  #openSession = async (id: string): Promise<LocalSession> => new LocalSession(await this.#read(id), this.needs)

  /** A table, as it follows from what is kept. */
  async #read(id: string): Promise<LocalTable> {
    const [kept, entries, { record }] = await Promise.all([this.needs.store.find(id), this.needs.store.entries(id, 0), this.manifest()])
    if (!kept) throw new EngineError('table-unknown')
    const table = new LocalTable(kept, await this.rules(kept.game), record)
    for (const entry of entries) table.apply(entry)
    return table
  }

  /** The rules of a game, once they are here. */
  rules(game: string): Promise<RulesModule> {
    let rules = this.#rules.get(game)
    if (!rules) {
      rules = this.manifest().then((one) => {
        if (!one.games[game]) throw new EngineError('table-unknown')
        return RulesModule.open(game, one, this.needs.fetch)
      })
      this.#rules.set(game, rules)
      rules.catch(() => this.#rules.delete(game))
    }
    return rules
  }

  async #create(request: NewLocalTable, more: Partial<StoredTable>, lines: string[]): Promise<TableCreatedResponse> {
    const rules = await this.rules(request.game)
    const created = this.needs.now()
    const nonces = request.places.map((place) => (place === 'me' ? randomHex() : ''))
    const stored: StoredTable = {
      ...request, id: `own-${randomHex()}`, version: rules.info.version, options: checkOptions(request.game, rules.info, request.seats, request.options),
      secret: bytesToHex(newSecret()), nonces, fork: null, created, again: null, last: created, turn: false, over: false, ...more,
    }
    const table = new LocalTable(stored, rules, '')
    const entries: StoredEntry[] = lines.map((line, n) => ({ n, line, at: created }))
    for (const entry of entries) table.apply(entry)
    Object.assign(stored, table.status)
    await this.needs.store.make(stored, entries)
    return { id: stored.id, invite: '', commitment: table.commitment }
  }

  /** The next game, each one seat on: whoever asks again is led there. */
  async #rematch(sitting: OpenTable): Promise<TableCreatedResponse> {
    const { stored: kept } = sitting.table
    if (!sitting.table.over) throw new EngineError('table-again-not-over')
    if (kept.again) return { id: kept.again, invite: '', commitment: '' }
    const { game, seats, options, pace, hints, name, places } = kept
    const created = await this.create({ game, seats, options, pace, hints, name, places: [...places.slice(-1), ...places.slice(0, -1)] })
    await sitting.change({ again: created.id })
    return created
  }

  /** A table with the same deals and the first n answers of a finished game; its cards are known. */
  async #fork(table: LocalTable, n: number, seat: number, level: string): Promise<TableCreatedResponse> {
    if (!table.over) throw new EngineError('table-play-on-not-over')
    const { game, seats, options, pace, hints, name, secret, nonces, fork, places } = table.stored
    const origin = fork ?? { commitment: table.commitment, n }
    const request = { game, seats, options, pace, hints, name, places: places.map((_, at) => (at === seat ? 'me' : `bot:${level}`)) }
    const more = { secret, nonces, fork: { commitment: origin.commitment, n: Math.min(origin.n, n) } }
    return await this.#create(request, more, table.answersUpTo(n))
  }
}

/** Sixteen bytes of chance, in hexadecimal. */
const randomHex = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(16)))
