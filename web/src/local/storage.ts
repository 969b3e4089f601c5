// What is kept of a table of one's own, and where: what never changes about it, and its entries, one by one.
import type { Fork } from '../engine'
import type { Value } from '../client/options'
import type { TableInfo } from '../client/types'

/** All of a table but its entries. Secrets are hexadecimal. `last`, `turn` and `over` say how it stands, for lists. */
export interface Kept {
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
  pace: TableInfo['pace']
  /** Whether one may ask for hints; nothing: as usual. */
  hints?: boolean | null
  created: number
  /** The table of the next game. */
  again: string | null
  /** When the last entry was made, whether one is asked, and whether the game is over. */
  last: number
  turn: boolean
  over: boolean
}

/** The n-th of all that happened, counted from 0: `0 play H7`, `0 undo 3`; and when. */
export interface Entry {
  n: number
  line: string
  at: number
}

export type Standing = Pick<Kept, 'last' | 'turn' | 'over'>

/** Where tables are kept. An n that is taken is another's: whoever comes second is told so, and nothing of theirs is kept. */
export interface Store {
  make(kept: Kept, entries: Entry[]): Promise<void>
  find(id: string): Promise<Kept | undefined>
  entries(id: string, from: number): Promise<Entry[]>
  add(id: string, entries: Entry[], standing: Standing): Promise<boolean>
  change(id: string, change: Partial<Kept>): Promise<void>
  list(): Promise<Kept[]>
  remove(id: string): Promise<void>
}

/** Where nothing can be kept for longer: as long as the page is open. */
export class Memory implements Store {
  readonly #tables = new Map<string, { kept: Kept; entries: Entry[] }>()

  async make(kept: Kept, entries: Entry[]): Promise<void> {
    this.#tables.set(kept.id, { kept: { ...kept }, entries: [...entries] })
  }
  async find(id: string): Promise<Kept | undefined> {
    return this.#tables.get(id)?.kept
  }
  async entries(id: string, from: number): Promise<Entry[]> {
    return this.#tables.get(id)?.entries.slice(from) ?? []
  }
  async add(id: string, entries: Entry[], standing: Standing): Promise<boolean> {
    const table = this.#tables.get(id)!
    if (entries[0]!.n !== table.entries.length) return false
    table.entries.push(...entries)
    Object.assign(table.kept, standing)
    return true
  }
  async change(id: string, change: Partial<Kept>): Promise<void> {
    Object.assign(this.#tables.get(id)!.kept, change)
  }
  async list(): Promise<Kept[]> {
    return [...this.#tables.values()].map(({ kept }) => kept)
  }
  async remove(id: string): Promise<void> {
    this.#tables.delete(id)
  }
}
