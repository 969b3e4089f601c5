// HTTP and Server-Sent Events. Every request carries an idempotency key, so that it can be repeated.
import { setAway } from './connection.svelte'
import { buildId } from './lazy'
import { isLocal, localTables } from './localTables'
import { sideChannel } from './sideChannel.svelte'
import type { ErrorResponse , TableUpdate} from './types'
import { language, t } from './i18n.svelte'

/** An error with the server's one sentence. A 409 brings the current message along. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    text: string,
    readonly current: TableUpdate | null = null,
  ) {
    super(text)
  }
}

/** A fresh key: the server plays what it has seen under the same key only once. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

const RETRY_DELAYS_MS = [300, 700, 1500, 3000, 5000, 8000]

/** A request that is repeated while the network or the server is away; a refusal is final. */
async function request<T>(path: string, init?: RequestInit): Promise<T> {
  if (isLocal(path)) return (await localTables.load()).ask<T>(path, init)
  for (let attempt = 0; ; attempt++) {
    const pause = RETRY_DELAYS_MS[attempt]
    try {
      const response = await fetch(path, { credentials: 'same-origin', ...init, headers: { ...init?.headers, 'Accept-Language': language() } })
      const page = response.headers.get('diamonds-client-version')
      if (page && !buildId.endsWith(page)) sideChannel.onNewVersion()
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

/** Send JSON as it is written. */
export const send = <T>(path: string, body: string): Promise<T> =>
  request<T>(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })

export const post = <T>(path: string, body: object): Promise<T> => send<T>(path, JSON.stringify(body))

/** Tables that were made here, at which their maker sits down already. */
export const tablesToJoin = new Set<string>()

/**
 * A stream of the server. The browser resumes it by itself with `Last-Event-ID`; where it gives up (a restarting server that
 * answers with an error), it is opened again here, unless the server closes it for good: then `onError` gets its message.
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
    source.addEventListener('order', (event: MessageEvent<string>) => sideChannel.onModeration(event.data))
    source.addEventListener('turns', (event: MessageEvent<string>) => sideChannel.onTurns(event.data))
    source.onmessage = (event: MessageEvent<string>) => this.onMessage(JSON.parse(event.data) as T)
    source.onerror = () => {
      this.onConnection(false)
      if (this.#tries || !navigator.onLine) setAway(true)
      if (source.readyState === EventSource.CLOSED) void this.#fetchCloseReason()
      // The browser's own retry may wait long; ours starts quickly and slows down.
      source.close()
      clearTimeout(this.#timer)
      this.#timer = setTimeout(this.#open, Math.min(250 * 2 ** this.#tries++, 5000))
    }
  }

  /** Something else than a stream came, and a stream cannot tell what. */
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

  /** Listen elsewhere from now on. */
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
