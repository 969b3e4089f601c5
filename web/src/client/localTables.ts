// The interface to local tables, with the same paths and messages as tables on a server.
import type { CreateTableRequest, TableCreatedResponse, TableSummary } from './types'

/** A table in a list. Local tables also have the time of the last move and the outcome. */
export interface ListedTable extends TableSummary {
  last?: number
  outcome?: { place: number; places: number; points: number } | null
}

export interface LocalTables {
  /** Create a table; return `null` if the request cannot be played on this device. */
  create(request: CreateTableRequest): Promise<TableCreatedResponse | null>
  /** Return summaries of all stored tables. */
  summaries(): Promise<ListedTable[]>
  ask<T>(path: string, init?: RequestInit): Promise<T>
  listen(path: string, heard: (message: any) => void, refused: (words: string) => void): { close(): void }
}

/** Return whether a path belongs to a local table. */
export const isLocal = (path: string): boolean => /\/own-\w{32}/.test(path)

/** Return whether a table's game is the answer to a challenge (`duel/`). */
export const isDuelTable = (id: string): boolean => id.startsWith('own-duel')

/** The loader of the implementation in `local/`, which `App.svelte` sets. */
export const localTables = {} as { load: () => Promise<LocalTables> }
