// The way to the server: POST up, Server-Sent Events down. Everything sent may be sent again: it carries a key.
import { built } from './lazy'
import { isOwn, own } from './localTables'
import { turned } from './sideChannel.svelte'
import type { Message, Problem } from './types'
import { language, say } from './i18n.svelte'

/** An error with the server's one sentence. A 409 brings the current message along. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    words: string,
    readonly current: Message | null = null,
  ) {
    super(words)
  }
}

/** A fresh key: the server plays what it has seen under the same key only once. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

const PATIENCE = [300, 700, 1500, 3000, 5000, 8000]

/** A request that is repeated while the network or the server is away; a refusal is final. */
async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  if (isOwn(path)) return (await own.load()).ask<T>(path, init)
  for (let attempt = 0; ; attempt++) {
    const pause = PATIENCE[attempt]
    try {
      const response = await fetch(path, { credentials: 'same-origin', ...init, headers: { ...init?.headers, 'Accept-Language': language() } })
      const page = response.headers.get('diamonds-page')
      if (page && !built.endsWith(page)) turned.updated()
      if (response.ok) return (await response.json()) as T
      if (response.status < 500 || pause === undefined) throw await refusal(response)
    } catch (error) {
      if (error instanceof Refusal) throw error
      if (pause === undefined) throw new Refusal(0, say('page-server-away'))
    }
    await wait(pause)
  }
}

async function refusal(response: Response): Promise<Refusal> {
  const problem = (await response.json().catch(() => null)) as Problem | null
  const words = problem?.error ?? say('page-server-answered', { status: response.status })
  return new Refusal(response.status, words, problem?.message ?? null)
}

/** What a request brings, or nothing: then `tell` has been given the server's sentence. */
export const attempt = <T>(task: Promise<T>, tell: (words: string) => void): Promise<T | undefined> =>
  task.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    tell(error.message)
    return undefined
  })

export const get = <T>(path: string): Promise<T> => ask<T>(path)

/** Send JSON as it is written. */
export const send = <T>(path: string, body: string): Promise<T> =>
  ask<T>(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })

export const post = <T>(path: string, body: object): Promise<T> => send<T>(path, JSON.stringify(body))

/** Tables that were made here, at which their maker sits down already. */
export const sitting = new Set<string>()

/**
 * A stream of the house. The browser resumes it by itself with `Last-Event-ID`; where it gives up (a restarting server that
 * answers with an error), it is opened again here, unless the house says that there is nothing to be heard: then `refused` is given its sentence.
 */
export class Stream<T> {
  #source: { close(): void } | null = null
  #timer = 0
  #tries = 0
  #closed = false

  constructor(
    private path: string,
    readonly heard: (message: T) => void,
    readonly connected: (online: boolean) => void,
    readonly refused: (words: string) => void = () => {},
  ) {
    if (isOwn(path)) void own.load().then((one) => this.#closed || (this.#source = one.listen(path, heard, refused)))
    else {
      this.#open()
      addEventListener('online', this.#again)
      addEventListener('offline', this.#away)
    }
  }

  #open = (): void => {
    this.#source?.close()
    if (this.#closed) return
    const source = new EventSource(this.path)
    this.#source = source
    source.onopen = () => {
      this.#tries = 0
      this.connected(true)
    }
    source.addEventListener('order', (event: MessageEvent<string>) => turned.ordered(event.data))
    source.addEventListener('turns', (event: MessageEvent<string>) => turned.heard(event.data))
    source.onmessage = (event: MessageEvent<string>) => this.heard(JSON.parse(event.data) as T)
    source.onerror = () => {
      this.connected(false)
      if (source.readyState === EventSource.CLOSED) void this.#askWhy()
      // The browser's own retry may wait long; ours starts quickly and slows down.
      source.close()
      clearTimeout(this.#timer)
      this.#timer = setTimeout(this.#open, Math.min(250 * 2 ** this.#tries++, 5000))
    }
  }

  /** Something else than a stream came, and a stream cannot tell what. */
  async #askWhy(): Promise<void> {
    const response = await fetch(this.path, { headers: { 'Accept-Language': language() } }).catch(() => null)
    if (!response || ![401, 403, 404, 410].includes(response.status)) return void response?.body?.cancel()
    this.close()
    this.refused((await refusal(response)).message)
  }

  #again = (): void => {
    clearTimeout(this.#timer)
    this.#tries = 0
    this.#open()
  }

  #away = (): void => {
    this.#source?.close()
    this.connected(false)
  }

  /** Listen elsewhere from now on. */
  to(path: string): void {
    this.path = path
    this.#again()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#source?.close()
    removeEventListener('online', this.#again)
    removeEventListener('offline', this.#away)
  }
}
