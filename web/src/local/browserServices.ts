// Browser services for local tables: IndexedDB, a writer lock between tabs, workers.
import type { StoredEntry, StoredTable, StoredStatus, LocalTableStore } from './localTableStore'
import type { RunJob } from './jobs'
import type { JobRequest, JobResult } from './jobWorker'

const NAME = 'diamonds'

const requestDone = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((found, failed) => {
    request.onsuccess = () => found(request.result)
    request.onerror = () => failed(request.error)
  })

/** A store in IndexedDB. Entries have the key `[id, n]`, so each n exists once. */
export class IndexedDbTableStore implements LocalTableStore {
  private constructor(private readonly base: IDBDatabase) {}

  /** Open the database; fail if the browser does not allow storage. */
  static async open(): Promise<IndexedDbTableStore> {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('tables', { keyPath: 'id' })
      request.result.createObjectStore('entries', { keyPath: ['id', 'n'] })
    }
    const base = await requestDone(request)
    base.onversionchange = () => base.close() // a newer version of the client wants to upgrade the database
    return new IndexedDbTableStore(base)
  }

  async make(kept: StoredTable, entries: StoredEntry[]): Promise<void> {
    await this.write((tables, all) => {
      tables.add(kept)
      for (const entry of entries) all.add({ id: kept.id, ...entry })
    })
  }

  find = (id: string): Promise<StoredTable | undefined> => requestDone(this.base.transaction('tables').objectStore('tables').get(id))

  entries = (id: string, from: number): Promise<StoredEntry[]> =>
    requestDone(this.base.transaction('entries').objectStore('entries').getAll(IDBKeyRange.bound([id, from], [id, Infinity])))

  async add(id: string, entries: StoredEntry[], standing: StoredStatus): Promise<boolean> {
    try {
      await this.write((tables, all) => {
        for (const entry of entries) all.add({ id, ...entry })
        update(tables, id, standing)
      })
      return true
    } catch (error) {
      if ((error as DOMException).name !== 'ConstraintError') throw error
      return false
    }
  }

  change = (id: string, change: Partial<StoredTable>): Promise<void> => this.write((tables) => update(tables, id, change))

  list = (): Promise<StoredTable[]> => requestDone(this.base.transaction('tables').objectStore('tables').getAll())

  remove = (id: string): Promise<void> =>
    this.write((tables, all) => {
      tables.delete(id)
      all.delete(IDBKeyRange.bound([id, 0], [id, Infinity]))
    })

  /** Write in one transaction; resolve once it is on disk. */
  private write(what: (tables: IDBObjectStore, entries: IDBObjectStore) => void): Promise<void> {
    const writing = this.base.transaction(['tables', 'entries'], 'readwrite', { durability: 'strict' })
    return new Promise((written, failed) => {
      writing.oncomplete = () => written()
      writing.onabort = () => failed(writing.error)
      what(writing.objectStore('tables'), writing.objectStore('entries'))
    })
  }
}

function update(tables: IDBObjectStore, id: string, change: Partial<StoredTable>): void {
  const request: IDBRequest<StoredTable> = tables.get(id)
  request.onsuccess = () => void tables.put({ ...request.result, ...change })
}

export interface WriterLock {
  /** Take the lock from any other tab. */
  take(): Promise<void>
  drop(): void
}

/**
 * Request the writer lock of a table; `changed` is called when this tab gets or loses it. Without Web Locks (no HTTPS)
 * every tab gets it. The key of an entry still prevents two writes of the same n.
 */
export function writerLock(id: string, changed: (mine: boolean) => void): WriterLock {
  if (!navigator.locks) {
    queueMicrotask(() => changed(true))
    return { take: async () => {}, drop: () => {} }
  }
  let dropped = false
  let mine = false
  let release = (): void => {}
  let waiting = new AbortController()
  const hold = (had: () => void) => () => {
    mine = true
    changed(true)
    had()
    return new Promise<void>((over) => (release = over))
  }
  const lost = (error: unknown): void => {
    if ((error as DOMException).name !== 'AbortError') throw error
    if (!mine) return // this tab stopped waiting
    mine = false
    changed(false)
    if (!dropped) wait()
  }
  function wait(): void {
    waiting = new AbortController()
    void navigator.locks.request(`${NAME} ${id}`, { signal: waiting.signal }, hold(() => {})).catch(lost)
  }
  wait()
  return {
    take: () =>
      new Promise((had) => {
        if (mine) return had()
        waiting.abort()
        void navigator.locks.request(`${NAME} ${id}`, { steal: true }, hold(had)).catch(lost)
      }),
    drop: () => {
      dropped = true
      waiting.abort()
      release()
    },
  }
}

/** A worker that runs jobs one at a time. It starts with the first job. */
export class WorkerClient {
  #worker: Worker | null = null
  #nextId = 0
  readonly #waiting = new Map<number, { onResult: (answer: any) => void; onFailure: (why: Error) => void }>()

  ask: RunJob = (kind, ...given) => {
    const worker = (this.#worker ??= this.#start())
    const id = this.#nextId++
    return new Promise<any>((found, failed) => {
      this.#waiting.set(id, { onResult: found, onFailure: failed })
      worker.postMessage({ id, kind: kind, args: given } satisfies JobRequest)
    }) as never
  }

  /** Stop the worker; pending jobs fail. */
  end = (): void => this.#fail('ended')

  #start(): Worker {
    const worker = new Worker(new URL('./jobWorker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data: { id, result: found, error: why } }: MessageEvent<JobResult>) => {
      const waiting = this.#waiting.get(id)!
      this.#waiting.delete(id)
      if (why) waiting.onFailure(new Error(why))
      else waiting.onResult(found)
    }
    worker.onerror = (event) => this.#fail(event.message)
    return worker
  }

  #fail(why: string): void {
    this.#worker?.terminate()
    this.#worker = null // the next job starts a new worker
    for (const { onFailure: failed } of this.#waiting.values()) failed(new Error(why))
    this.#waiting.clear()
  }
}

const MAX_REVIEWERS = 4

/** Start one worker per core except one, so that the page stays responsive. */
export function reviewers(): { runners: RunJob[]; end: () => void } {
  const number = Math.max(1, Math.min(MAX_REVIEWERS, (navigator.hardwareConcurrency || 2) - 1))
  const clients = Array.from({ length: number }, () => new WorkerClient())
  return { runners: clients.map(({ ask }) => ask), end: () => clients.forEach(({ end }) => end()) }
}
