// Tables of one's own answer what the page asks of any table, by the same addresses and with the same messages.
import { bytesToHex } from '@noble/hashes/utils.js'
import { chosen, newSecret, readRecord, Refused, Rules, type Fetch, type Manifest } from '../engine'
import type { Value } from '../client/options'
import type { Made, Message, TableInfo } from '../client/types'
import { Advisers, type Needs as Advising } from './analysis'
import type { Entry, Kept } from './storage'
import { keptOf, parsed } from './importRecord'
import { Sitting, type Tools } from './session'
import { OwnTable } from './localTable'

/** What somebody wants to play: `places` has `me` once, and else `bot:LEVEL`. */
export interface Wish {
  game: string
  seats: number
  options: Record<string, Value>
  places: string[]
  pace: TableInfo['pace']
  hints?: boolean | null
  name: string
}

export interface Needs extends Tools, Advising {
  manifest(): Promise<Manifest>
  fetch: Fetch
}

/** What is said to a table, whichever of it belongs to what is said. */
interface Said {
  n: number
  to: number
  answers: string[]
  pace: TableInfo['pace']
  seat: number
  level: string
}

/** A table that is open: one that is kept, or another that is told and asked in the same way. */
export type Seated = Pick<Sitting, 'table' | 'listened' | 'listen' | 'answer' | 'undo' | 'hurry' | 'setPace' | 'change' | 'look'>

const PATH = /^\/api\/tables\/([^/?]+)\/([a-z]+)/

export class OwnHouse {
  readonly #sittings = new Map<string, Promise<Seated>>()
  readonly #rules = new Map<string, Promise<Rules>>()
  readonly #advisers: Advisers
  #manifest: Promise<Manifest> | null = null

  constructor(private readonly needs: Needs) {
    this.#advisers = new Advisers(needs)
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
  receive = (id: string, seated: Seated): void => void this.#sittings.set(id, Promise.resolve(seated))

  /** A new table, whose game begins at once. */
  make = (wish: Wish): Promise<Made> => this.#begin(wish, {}, [])

  list = (): Promise<Kept[]> => this.needs.store.list()

  remove = (id: string): Promise<void> => this.needs.store.remove(id)

  /** All tables that can be opened, each as a record, which also says its name here. */
  async records(): Promise<Record<string, unknown>[]> {
    const found = []
    for (const { id } of await this.list()) {
      const table = await this.#read(id).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error
        return null // by rules that are not known here
      })
      if (table) found.push({ ...table.toRecord(), own: id })
    }
    return found
  }

  /** Bring tables from a text with a record on each line, or one in all; returns how many are here now that were not. */
  async bring(text: string): Promise<number> {
    let number = 0
    const found = parsed(text)
    for (const record of found) {
      const read = keptOf(record, this.needs.now())
      if (!read || (await this.needs.store.find(read.kept.id))) continue
      try {
        const table = new OwnTable(read.kept, await this.rules(read.kept.game), '')
        for (const entry of read.entries) table.apply(entry)
        await this.needs.store.make({ ...read.kept, ...table.standing }, read.entries)
        number++
      } catch (error) {
        if (!(error instanceof Refused)) throw error // it was no game that can go on here
        if (found.length > 1) continue
        readRecord(record, await this.rules(read.kept.game), (await this.manifest()).record) // it says what the server would
        throw error
      }
    }
    return number
  }

  /** What the page asks of a table, or says to it. */
  async ask(path: string, body: unknown): Promise<unknown> {
    const [, id, what] = PATH.exec(path)!
    const { table, sitting } = await this.#look(id!)
    const said = body as Said
    switch (what) {
      case 'answers':
        return await sitting.answer(said.n, said.answers)
      case 'undo':
        return await sitting.undo(said.n, said.to)
      case 'hurry':
        return sitting.hurry()
      case 'pace':
        return await sitting.setPace(said.pace)
      case 'again':
        return await this.#again(sitting)
      case 'fork':
        return await this.#playOn(table, said.n, said.seat, said.level)
      case 'hint':
        if (!table.tableInfo().hints) throw new Refused('hint-none-here')
        return await this.#advisers.hint(table)
      case 'review':
        return this.#advisers.review(table)
      case 'pad':
        return table.pad()
      case 'replay':
        return table.replay()
      case 'record':
        return table.toRecord()
      case 'verify':
        return table.verdict()
      default:
        throw new Refused('table-not-here')
    }
  }

  /** Be told of a table; returns how that ends. */
  async listen(path: string, heard: (message: Message) => void): Promise<() => void> {
    const [, id] = PATH.exec(path)!
    const { sitting } = await this.#look(id!)
    const end = sitting.listen(heard)
    return () => {
      end()
      if (!sitting.listened) this.#sittings.delete(id!)
    }
  }

  /** Another tab has done something at a table. */
  async happened(id: string): Promise<void> {
    await (await this.#sittings.get(id))?.look()
  }

  async #look(id: string): Promise<{ sitting: Seated; table: OwnTable }> {
    let sitting = this.#sittings.get(id)
    if (!sitting) {
      sitting = this.#load(id)
      this.#sittings.set(id, sitting)
      sitting.catch(() => this.#sittings.delete(id))
    }
    return { sitting: await sitting, table: (await sitting).table }
  }

  #load = async (id: string): Promise<Sitting> => new Sitting(await this.#read(id), this.needs)

  /** A table, as it follows from what is kept. */
  async #read(id: string): Promise<OwnTable> {
    const [kept, entries, { record }] = await Promise.all([this.needs.store.find(id), this.needs.store.entries(id, 0), this.manifest()])
    if (!kept) throw new Refused('table-unknown')
    const table = new OwnTable(kept, await this.rules(kept.game), record)
    for (const entry of entries) table.apply(entry)
    return table
  }

  /** The rules of a game, once they are here. */
  rules(game: string): Promise<Rules> {
    let rules = this.#rules.get(game)
    if (!rules) {
      rules = this.manifest().then((one) => {
        if (!one.games[game]) throw new Refused('table-unknown')
        return Rules.open(game, one, this.needs.fetch)
      })
      this.#rules.set(game, rules)
      rules.catch(() => this.#rules.delete(game))
    }
    return rules
  }

  async #begin(wish: Wish, more: Partial<Kept>, lines: string[]): Promise<Made> {
    const rules = await this.rules(wish.game)
    const created = this.needs.now()
    const nonces = wish.places.map((place) => (place === 'me' ? drawn() : ''))
    const kept: Kept = {
      ...wish, id: `own-${drawn()}`, version: rules.info.version, options: chosen(wish.game, rules.info, wish.seats, wish.options),
      secret: bytesToHex(newSecret()), nonces, fork: null, created, again: null, last: created, turn: false, over: false, ...more,
    }
    const table = new OwnTable(kept, rules, '')
    const entries: Entry[] = lines.map((line, n) => ({ n, line, at: created }))
    for (const entry of entries) table.apply(entry)
    Object.assign(kept, table.standing)
    await this.needs.store.make(kept, entries)
    return { id: kept.id, invite: '', commitment: table.commitment }
  }

  /** The next game, each one seat on: whoever asks again is led there. */
  async #again(sitting: Seated): Promise<Made> {
    const { kept } = sitting.table
    if (!sitting.table.over) throw new Refused('table-again-not-over')
    if (kept.again) return { id: kept.again, invite: '', commitment: '' }
    const { game, seats, options, pace, hints, name, places } = kept
    const made = await this.make({ game, seats, options, pace, hints, name, places: [...places.slice(-1), ...places.slice(0, -1)] })
    await sitting.change({ again: made.id })
    return made
  }

  /** A table with the same deals and the first n answers of a finished game; its cards are known. */
  async #playOn(table: OwnTable, n: number, seat: number, level: string): Promise<Made> {
    if (!table.over) throw new Refused('table-play-on-not-over')
    const { game, seats, options, pace, hints, name, secret, nonces, fork, places } = table.kept
    const origin = fork ?? { commitment: table.commitment, n }
    const wish = { game, seats, options, pace, hints, name, places: places.map((_, at) => (at === seat ? 'me' : `bot:${level}`)) }
    const more = { secret, nonces, fork: { commitment: origin.commitment, n: Math.min(origin.n, n) } }
    return await this.#begin(wish, more, table.answersUpTo(n))
  }
}

/** Sixteen bytes of chance, in hexadecimal. */
const drawn = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(16)))
