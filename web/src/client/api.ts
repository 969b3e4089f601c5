// HTTP requests and Server-Sent Events. Commands carry an idempotency key, so they can be repeated.
import { setAway } from './serverReachability.svelte'
import { buildId } from './lazyLoad'
import { isLocal, localTables } from './localTables'
import { globalEvents } from './globalEvents.svelte'
import type { ErrorResponse , TableUpdate} from './types'
import { language, t } from './i18n.svelte'

/** An error with the server's message; with status 409, it also has the current update of the table. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    text: string,
    readonly current: TableUpdate | null = null,
  ) {
    super(text)
  }
}

/** Return a new idempotency key. The server executes a command only once per key. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

const RETRY_DELAYS_MS = [300, 700, 1500, 3000, 5000, 8000]

/** Send a request, and repeat it while the network or the server is unavailable. A status below 500 is final. */
async function request<T>(path: string, init?: RequestInit): Promise<T> {
  if (isLocal(path)) return (await localTables.load()).ask<T>(path, init)
  for (let attempt = 0; ; attempt++) {
    const pause = RETRY_DELAYS_MS[attempt]
    try {
      const response = await fetch(path, { credentials: 'same-origin', ...init, headers: { ...init?.headers, 'Accept-Language': language() } })
      const page = response.headers.get('diamonds-client-version')
      if (page && !buildId.endsWith(page)) globalEvents.onNewVersion()
      if (response.status < 500) setAway(false)
      if (response.ok) return (await response.json()) as T
      if (response.status < 500 || pause === undefined) throw await errorFrom(response)
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (attempt) setAway(true)
      if (pause === undefined) throw new ApiError(0, t('page-server-away'))
    }
    await sleep(pause)
  }
}

async function errorFrom(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => null)) as ErrorResponse | null
  const text = problem?.error ?? t('page-server-answered', { status: response.status })
  return new ApiError(response.status, text, problem?.update ?? null)
}

/** Return the result of a request, or `undefined` after passing the server's message to `onError`. */
export const withRetry = <T>(task: Promise<T>, onError: (text: string) => void): Promise<T | undefined> =>
  task.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    onError(error.message)
    return undefined
  })

export const get = <T>(path: string): Promise<T> => request<T>(path)

/** Post a JSON text. */
export const send = <T>(path: string, body: string): Promise<T> =>
  request<T>(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })

export const post = <T>(path: string, body: object): Promise<T> => send<T>(path, JSON.stringify(body))

/** New tables for which this page has already sent the request to sit down. */
export const tablesToJoin = new Set<string>()

/**
 * A Server-Sent Events stream. The browser reconnects with `Last-Event-ID`. If it gives up (a restarting server returns an error), the stream is
 * opened again here. If the server ends it for good, `onError` gets the reason.
 */
export class EventStream<T> {
  #source: { close(): void } | null = null
  #timer = 0
  #tries = 0
  #closed = false

  constructor(
    private path: string,
    readonly onMessage: (message: T) => void,
    readonly onConnection: (online: boolean) => void,
    readonly onError: (words: string) => void = () => {},
  ) {
    if (isLocal(path)) void localTables.load().then((one) => this.#closed || (this.#source = one.listen(path, onMessage, onError)))
    else {
      this.#open()
      addEventListener('online', this.#reconnect)
      addEventListener('offline', this.#onOffline)
    }
  }

  #open = (): void => {
    this.#source?.close()
    if (this.#closed) return
    const source = new EventSource(this.path)
    this.#source = source
    source.onopen = () => {
      this.#tries = 0
      setAway(false)
      this.onConnection(true)
    }
    source.addEventListener('order', (event: MessageEvent<string>) => globalEvents.onModeration(event.data))
    source.addEventListener('turns', (event: MessageEvent<string>) => globalEvents.onTurns(event.data))
    source.onmessage = (event: MessageEvent<string>) => this.onMessage(JSON.parse(event.data) as T)
    source.onerror = () => {
      this.onConnection(false)
      if (this.#tries || !navigator.onLine) setAway(true)
      if (source.readyState === EventSource.CLOSED) void this.#fetchCloseReason()
      // The browser may wait long before a retry, so the first retry comes soon, and later ones more slowly.
      source.close()
      clearTimeout(this.#timer)
      this.#timer = setTimeout(this.#open, Math.min(250 * 2 ** this.#tries++, 5000))
    }
  }

  /** Fetch the error behind a failed stream, because `EventSource` does not expose responses. */
  async #fetchCloseReason(): Promise<void> {
    const response = await fetch(this.path, { headers: { 'Accept-Language': language() } }).catch(() => null)
    if (!response || ![401, 403, 404, 410].includes(response.status)) return void response?.body?.cancel()
    setAway(false)
    this.close()
    this.onError((await errorFrom(response)).message)
  }

  #reconnect = (): void => {
    clearTimeout(this.#timer)
    this.#tries = 0
    this.#open()
  }

  #onOffline = (): void => {
    this.#source?.close()
    setAway(true)
    this.onConnection(false)
  }

  reconnectTo(path: string): void {
    this.path = path
    this.#reconnect()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#source?.close()
    removeEventListener('online', this.#reconnect)
    removeEventListener('offline', this.#onOffline)
  }
}
