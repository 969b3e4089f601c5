// Storage of local tables: the fixed part of a table, and its entries one by one.
import type { Fork } from '../engine'
import type { Value } from '../client/options'
import type { TableInfo } from '../client/types'

/** All of a table but its entries. Secrets are hexadecimal. `last`, `turn` and `over` say how it stands, for lists. */
export interface StoredTable {
  id: string
  game: string
  /** Of the game's rules. */
  version: number
  seats: number
  options: Record<string, Value>
  /** What the one person is called, and who has which seat: `me`, `bot:5`. */
  name: string
  places: string[]
  secret: string
  nonces: string[]
  fork: Fork | null
  pace: TableInfo['bot_speed']
  /** Whether one may ask for hints; nothing: as usual. */
  hints?: boolean | null
  created: number
  /** The table of the next game. */
  again: string | null
  /** When the last entry was made, whether one is asked, and whether the game is over. */
  last: number
  turn: boolean
  over: boolean
  /** Place and points at the end; missing in games stored by older versions. */
  outcome?: Outcome | null
}

/** The player's place and points; of two teams, the first or second place. */
export interface Outcome {
  place: number
  places: number
  points: number
}

/** The n-th of all that happened, counted from 0: `0 play H7`, `0 undo 3`; and when. */
export interface StoredEntry {
  n: number
  line: string
  at: number
}

export type StoredStatus = Pick<StoredTable, 'last' | 'turn' | 'over' | 'outcome'>

/** Where tables are kept. An n that is taken is another's: whoever comes second is told so, and nothing of theirs is kept. */
export interface LocalStore {
  make(kept: StoredTable, entries: StoredEntry[]): Promise<void>
  find(id: string): Promise<StoredTable | undefined>
  entries(id: string, from: number): Promise<StoredEntry[]>
  add(id: string, entries: StoredEntry[], standing: StoredStatus): Promise<boolean>
  change(id: string, change: Partial<StoredTable>): Promise<void>
  list(): Promise<StoredTable[]>
  remove(id: string): Promise<void>
}

/** Where nothing can be kept for longer: as long as the page is open. */
export class MemoryStore implements LocalStore {
  readonly #tables = new Map<string, { kept: StoredTable; entries: StoredEntry[] }>()

  async make(kept: StoredTable, entries: StoredEntry[]): Promise<void> {
    this.#tables.set(kept.id, { kept: { ...kept }, entries: [...entries] })
  }
  async find(id: string): Promise<StoredTable | undefined> {
    return this.#tables.get(id)?.kept
  }
  async entries(id: string, from: number): Promise<StoredEntry[]> {
    return this.#tables.get(id)?.entries.slice(from) ?? []
  }
  async add(id: string, entries: StoredEntry[], standing: StoredStatus): Promise<boolean> {
    const table = this.#tables.get(id)!
    if (entries[0]!.n !== table.entries.length) return false
    table.entries.push(...entries)
    Object.assign(table.kept, standing)
    return true
  }
  async change(id: string, change: Partial<StoredTable>): Promise<void> {
    Object.assign(this.#tables.get(id)!.kept, change)
  }
  async list(): Promise<StoredTable[]> {
    return [...this.#tables.values()].map(({ kept }) => kept)
  }
  async remove(id: string): Promise<void> {
    this.#tables.delete(id)
  }
}
