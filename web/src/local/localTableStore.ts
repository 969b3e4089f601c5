// Storage of local tables: the fixed part of a table, and its entries one by one.
import type { Fork } from '../engine'
import type { OptionValue } from '../client/options'
import type { TableInfo } from '../client/types'

/** A challenge to play the same cards (`duel/challenge.ts`). Bytes are hexadecimal. */
export interface Challenge {
  format: string
  game: string
  rules_version: number
  seats: number
  options: Record<string, OptionValue>
  /** The holder of each seat: `person` once, otherwise `bot:LEVEL`. */
  seated: string[]
  secret: string
  nonces: string[]
  name: string
  /** The version of the bots against which the challenger played, if known. */
  bots?: string
  /** The challenger's entries: salt, ciphertext and tag in base64url. */
  sealed: string
}

/** A table without its entries. Secrets are hexadecimal. `last`, `turn` and `over` are the status for lists. */
export interface StoredTable {
  id: string
  game: string
  /** Version of the game's rules. */
  version: number
  seats: number
  options: Record<string, OptionValue>
  /** The player's display name, and the holder of each seat: `me`, `bot:5`. */
  name: string
  places: string[]
  secret: string
  nonces: string[]
  /** The version of the bots at the start; missing in games stored by older versions. */
  bots?: string
  fork: Fork | null
  pace: TableInfo['bot_speed']
  /** True if hints are allowed; `null` means the default. */
  hints?: boolean | null
  created: number
  /** The challenge that this game answers, sealed. */
  duel?: Challenge | null
  /** The id of the rematch. */
  again: string | null
  /** Time of the last entry, whether the player is to act, and whether the game is over. */
  last: number
  turn: boolean
  over: boolean
  /** Place and points at the end; missing in games stored by older versions. */
  outcome?: StoredOutcome | null
}

/** The player's place and points; a team is first or second. */
export interface StoredOutcome {
  place: number
  places: number
  points: number
}

/** Return the outcome for a seat, given the result of a game. */
export function outcomeAt({ scores, winners }: { scores: number[]; winners: number[] }, seat: number, hasPartners: boolean): StoredOutcome {
  const points = scores[seat]!
  const won = winners.includes(seat)
  if (hasPartners) return { place: won ? 1 : 2, places: 2, points }
  const better = scores.filter((score, other) => !won && (winners.includes(other) || score > points)).length
  return { place: 1 + better, places: scores.length, points }
}

/** The n-th entry, from 0, such as `0 play H7` or `0 undo 3`, and its time. */
export interface StoredEntry {
  n: number
  line: string
  at: number
}

export type StoredStatus = Pick<StoredTable, 'last' | 'turn' | 'over' | 'outcome'>

/** A store of tables. If an entry n already exists, another tab was first: the write fails, and nothing is stored. */
export interface LocalTableStore {
  make(kept: StoredTable, entries: StoredEntry[]): Promise<void>
  find(id: string): Promise<StoredTable | undefined>
  entries(id: string, from: number): Promise<StoredEntry[]>
  add(id: string, entries: StoredEntry[], standing: StoredStatus): Promise<boolean>
  change(id: string, change: Partial<StoredTable>): Promise<void>
  list(): Promise<StoredTable[]>
  remove(id: string): Promise<void>
}

/** A store that lasts as long as the page, for browsers that allow no other. */
export class MemoryStore implements LocalTableStore {
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
