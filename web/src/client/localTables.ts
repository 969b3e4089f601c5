// The interface of local tables: they have the same addresses and messages as tables of a server.
import type { CreateTableRequest, TableCreatedResponse, TableSummary } from './types'

export interface LocalTables {
  /** A new table here; nothing where what is wanted cannot be played here. */
  create(request: CreateTableRequest): Promise<TableCreatedResponse | null>
  /** All tables that are here, for lists. */
  summaries(): Promise<TableSummary[]>
  ask<T>(path: string, init?: RequestInit): Promise<T>
  listen(path: string, heard: (message: any) => void, refused: (words: string) => void): { close(): void }
}

/** Whether an address is that of a table of one's own. */
export const isLocal = (path: string): boolean => /\/own-\w{32}/.test(path)

/** What answers for them; it comes when it is first asked. */
export const localTables = {} as { load: () => Promise<LocalTables> }
