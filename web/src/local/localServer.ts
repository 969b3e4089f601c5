// The local server: answers requests for local tables with the same paths and messages as a server.
import { bytesToHex } from '@noble/hashes/utils.js'
import { checkOptions, newSecret, EngineError, RulesModule, type FetchFile, type Manifest } from '../engine'
import type { OptionValue } from '../client/options'
import type { TableCreatedResponse, TableInfo, TableUpdate } from '../client/types'
import { LocalAnalysis, type AnalysisDependencies } from './localAnalysis'
import type { BotCheck } from './botCheck'
import type { StoredEntry, StoredTable } from './localTableStore'
import { LocalSession, type SessionDependencies } from './localSession'
import { LocalTable } from './localTable'

/** A request for a table. `places` has `me` once, otherwise `bot:LEVEL`. */
export interface NewLocalTable {
  game: string
  seats: number
  options: Record<string, OptionValue>
  places: string[]
  pace: TableInfo['bot_speed']
  hints?: boolean | null
  name: string
}

export interface LocalServerDependencies extends SessionDependencies, AnalysisDependencies {
  manifest(): Promise<Manifest>
  fetch: FetchFile
}

/** The body of an action. Each action uses some of these fields. */
interface ActionBody {
  n: number
  to: number
  answers: string[]
  bot_speed: TableInfo['bot_speed']
  seat: number
  level: string
}

/** An open table: a stored one, or a lesson or puzzle with the same interface. */
export type OpenTable = Pick<LocalSession, 'table' | 'isWatched' | 'listen' | 'answer' | 'undo' | 'fastForward' | 'setBotSpeed' | 'change' | 'catchUp'>

const PATH = /^\/api\/tables\/([^/?]+)\/([a-z-]+)/

export class LocalServer {
  readonly #sessions = new Map<string, Promise<OpenTable>>()
  readonly #rules = new Map<string, Promise<RulesModule>>()
  readonly #analysis: LocalAnalysis
  #manifest: Promise<Manifest> | null = null

  constructor(private readonly needs: LocalServerDependencies) {
    this.#analysis = new LocalAnalysis(needs)
  }

  manifest(): Promise<Manifest> {
    this.#manifest ??= this.needs.manifest().catch((error: unknown) => {
      this.#manifest = null
      throw error
    })
    return this.#manifest
  }

  /** Serve a table that is not stored (lesson, puzzle), until its last viewer leaves. */
  attach = (id: string, seated: OpenTable): void => void this.#sessions.set(id, Promise.resolve(seated))

  list = (): Promise<StoredTable[]> => this.needs.store.list()

  remove = (id: string): Promise<void> => this.needs.store.remove(id)

  /** Return all readable tables as records, each with its local name. */
  async records(): Promise<Record<string, unknown>[]> {
    const found = []
    for (const { id } of await this.list()) {
      const table = await this.#read(id).catch((error: unknown) => {
        if (!(error instanceof EngineError)) throw error
        return null // rules of an unknown version
      })
      if (table) found.push({ ...table.toRecord(), own: id })
    }
    return found
  }

  /** Import tables from a text with one record, or one per line; return the number of new tables. */
  async importFile(text: string): Promise<number> {
    let number = 0
    const { parseRecords, readRecord, storedFrom } = await import('./importRecord')
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
        if (!(error instanceof EngineError)) throw error // not a game that can be continued here
        if (found.length > 1) continue
        readRecord(record, await this.rules(read.kept.game), (await this.manifest()).record) // throws the same error as a server
        throw error
      }
    }
    return number
  }

  /** Recompute the answers of bots in a record. */
  async checkBots(record: Record<string, unknown>): Promise<BotCheck> {
    const { checkBots } = await import('./botCheck')
    return checkBots(record, await this.rules(String(record['game'])), (await this.manifest()).record, this.needs.reviewers())
  }

  /** Handle a request of the client about a table. */
  async ask(path: string, request: unknown): Promise<unknown> {
    const [, id, what] = PATH.exec(path)!
    const { table, session } = await this.#open(id!)
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

  /** Subscribe to a table; return a function that unsubscribes. */
  async listen(path: string, onMessage: (message: TableUpdate) => void): Promise<() => void> {
    const [, id] = PATH.exec(path)!
    const { session } = await this.#open(id!)
    const end = session.listen(onMessage)
    return () => {
      end()
      if (!session.isWatched) this.#sessions.delete(id!)
    }
  }

  /** Handle a change of a table in another tab. */
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

  /** Load a table from storage. */
  async #read(id: string): Promise<LocalTable> {
    const [kept, entries, { record }] = await Promise.all([this.needs.store.find(id), this.needs.store.entries(id, 0), this.manifest()])
    if (!kept) throw new EngineError('table-unknown')
    const table = new LocalTable(kept, await this.rules(kept.game), record)
    for (const entry of entries) table.apply(entry)
    return table
  }

  /** Return the rules of a game, loading them if necessary. */
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

  /** Create a table with the given values and answers, and start its game. */
  async create(request: NewLocalTable, more: Partial<StoredTable> = {}, lines: string[] = []): Promise<TableCreatedResponse> {
    const rules = await this.rules(request.game)
    const created = this.needs.now()
    const nonces = request.places.map((place) => (place === 'me' ? randomHex() : ''))
    const stored: StoredTable = {
      ...request, id: `own-${randomHex()}`, version: rules.info.version, options: checkOptions(request.game, rules.info, request.seats, request.options),
      secret: bytesToHex(newSecret()), nonces, bots: rules.info.thinking?.bots ?? '', fork: null, created, again: null, last: created, turn: false, over: false, ...more,
    }
    const table = new LocalTable(stored, rules, '')
    const entries: StoredEntry[] = lines.map((line, n) => ({ n, line, at: created }))
    for (const entry of entries) table.apply(entry)
    Object.assign(stored, table.status)
    await this.needs.store.make(stored, entries)
    return { id: stored.id, invite: '', commitment: table.commitment }
  }

  /** Create the next game, with each player one seat further, or return the existing one. */
  async #rematch(sitting: OpenTable): Promise<TableCreatedResponse> {
    const { stored: kept } = sitting.table
    if (!sitting.table.over) throw new EngineError('table-again-not-over')
    if (kept.again) return { id: kept.again, invite: '', commitment: '' }
    const { game, seats, options, pace, hints, name, places } = kept
    const created = await this.create({ game, seats, options, pace, hints, name, places: [...places.slice(-1), ...places.slice(0, -1)] })
    await sitting.change({ again: created.id })
    return created
  }

  /** Create a table with the deals and first n answers of a finished game, whose cards the player knows. */
  async #fork(table: LocalTable, n: number, seat: number, level: string): Promise<TableCreatedResponse> {
    if (!table.over) throw new EngineError('table-play-on-not-over')
    const { game, seats, options, pace, hints, name, secret, nonces, fork, places } = table.stored
    const origin = fork ?? { commitment: table.commitment, n }
    const request = { game, seats, options, pace, hints, name, places: places.map((_, at) => (at === seat ? 'me' : `bot:${level}`)) }
    const more = { secret, nonces, fork: { commitment: origin.commitment, n: Math.min(origin.n, n) } }
    return await this.create(request, more, table.answersUpTo(n))
  }
}

/** Return sixteen random bytes in hexadecimal. */
const randomHex = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(16)))
