// What a browser gives to tables of one's own: a place where they are kept, a pen that one tab at a time holds, a worker in which bots think.
import type { Entry, Kept, Standing, Store } from './storage'
import type { Ask } from './jobs'
import type { Asked, Thought } from './worker'

const NAME = 'diamonds'

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((found, failed) => {
    request.onsuccess = () => found(request.result)
    request.onerror = () => failed(request.error)
  })

/** In the browser's database; a table's entries have the keys `[id, n]`, of which there is one of each. */
export class Database implements Store {
  private constructor(private readonly base: IDBDatabase) {}

  /** Fails where nothing may be kept. */
  static async open(): Promise<Database> {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('tables', { keyPath: 'id' })
      request.result.createObjectStore('entries', { keyPath: ['id', 'n'] })
    }
    const base = await done(request)
    base.onversionchange = () => base.close() // a newer page wants another form
    return new Database(base)
  }

  async make(kept: Kept, entries: Entry[]): Promise<void> {
    await this.write((tables, all) => {
      tables.add(kept)
      for (const entry of entries) all.add({ id: kept.id, ...entry })
    })
  }

  find = (id: string): Promise<Kept | undefined> => done(this.base.transaction('tables').objectStore('tables').get(id))

  entries = (id: string, from: number): Promise<Entry[]> =>
    done(this.base.transaction('entries').objectStore('entries').getAll(IDBKeyRange.bound([id, from], [id, Infinity])))

  async add(id: string, entries: Entry[], standing: Standing): Promise<boolean> {
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

  change = (id: string, change: Partial<Kept>): Promise<void> => this.write((tables) => update(tables, id, change))

  list = (): Promise<Kept[]> => done(this.base.transaction('tables').objectStore('tables').getAll())

  remove = (id: string): Promise<void> =>
    this.write((tables, all) => {
      tables.delete(id)
      all.delete(IDBKeyRange.bound([id, 0], [id, Infinity]))
    })

  /** Until it has reached the disk; all of it, or nothing. */
  private write(what: (tables: IDBObjectStore, entries: IDBObjectStore) => void): Promise<void> {
    const writing = this.base.transaction(['tables', 'entries'], 'readwrite', { durability: 'strict' })
    return new Promise((written, failed) => {
      writing.oncomplete = () => written()
      writing.onabort = () => failed(writing.error)
      what(writing.objectStore('tables'), writing.objectStore('entries'))
    })
  }
}

function update(tables: IDBObjectStore, id: string, change: Partial<Kept>): void {
  const request: IDBRequest<Kept> = tables.get(id)
  request.onsuccess = () => void tables.put({ ...request.result, ...change })
}

export interface Pen {
  /** Take it, whoever has it. */
  take(): Promise<void>
  drop(): void
}

/** The pen of a table: `changed` is told whether this tab has it. Without locks (a page that came without HTTPS) everybody has one; no n is written twice all the same. */
export function penOf(id: string, changed: (mine: boolean) => void): Pen {
  if (!navigator.locks) {
    queueMicrotask(() => changed(true))
    return { take: async () => {}, drop: () => {} }
  }
  let dropped = false
  let mine = false
  let letGo = (): void => {}
  let waiting = new AbortController()
  const hold = (had: () => void) => () => {
    mine = true
    changed(true)
    had()
    return new Promise<void>((over) => (letGo = over))
  }
  const lost = (error: unknown): void => {
    if ((error as DOMException).name !== 'AbortError') throw error
    if (!mine) return // it was this tab that stopped waiting
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
      letGo()
    },
  }
}

/** A worker that thinks about one thing after the other; it comes with the first question. */
export class Thinker {
  #worker: Worker | null = null
  #asked = 0
  readonly #waiting = new Map<number, { found: (answer: any) => void; failed: (why: Error) => void }>()

  ask: Ask = (what, ...given) => {
    const worker = (this.#worker ??= this.#begin())
    const id = this.#asked++
    return new Promise<any>((found, failed) => {
      this.#waiting.set(id, { found, failed })
      worker.postMessage({ id, what, given } satisfies Asked)
    }) as never
  }

  /** It is let go: its memory is free, and who waits for it hears that. */
  end = (): void => this.#fail('ended')

  #begin(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data: { id, found, why } }: MessageEvent<Thought>) => {
      const waiting = this.#waiting.get(id)!
      this.#waiting.delete(id)
      if (why) waiting.failed(new Error(why))
      else waiting.found(found)
    }
    worker.onerror = (event) => this.#fail(event.message)
    return worker
  }

  #fail(why: string): void {
    this.#worker?.terminate()
    this.#worker = null // the next question brings another
    for (const { failed } of this.#waiting.values()) failed(new Error(why))
    this.#waiting.clear()
  }
}

const MOST_REVIEWERS = 4

/** As many as the device has cores for, but one: the page goes on. */
export function reviewers(): { asks: Ask[]; end: () => void } {
  const number = Math.max(1, Math.min(MOST_REVIEWERS, (navigator.hardwareConcurrency || 2) - 1))
  const thinkers = Array.from({ length: number }, () => new Thinker())
  return { asks: thinkers.map(({ ask }) => ask), end: () => thinkers.forEach(({ end }) => end()) }
}
