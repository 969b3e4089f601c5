// A duplicate match on the server, polled every few seconds until it is over.
import { get, withRetry } from '../client/api'
import type { MatchOwnTableInfo, MatchResponse } from '../client/types'

const REFRESH_INTERVAL_MS = 3_000

export class MatchState {
  info = $state.raw<MatchResponse | null>(null)
  error = $state('')
  #timer = 0
  #closed = false

  constructor(readonly id: string) {
    void this.#ask()
  }

  /** Your table in play, if any. */
  get openTable(): MatchOwnTableInfo | undefined {
    return this.info?.phase === 'playing' ? this.info.your_tables.find((one) => !one.finished) : undefined
  }

  showError = (text: string): void => void (this.error = text)

  /** Store the response to a command, if there is one. */
  async take(answer: Promise<MatchResponse>): Promise<void> {
    this.error = ''
    this.info = (await withRetry(answer, this.showError)) ?? this.info
  }

  #ask = async (): Promise<void> => {
    if (!document.hidden) {
      const found = await withRetry(get<MatchResponse>(`/api/matches/${this.id}`), this.showError)
      if (!found) return
      if (found.phase !== 'over') this.#wait()
      this.info = found
    } else this.#wait()
  }

  #wait(): void {
    if (!this.#closed) this.#timer = setTimeout(this.#ask, REFRESH_INTERVAL_MS)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }
}
