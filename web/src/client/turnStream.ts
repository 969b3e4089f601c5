// A stream of turns for pages that have no stream of their own.
import { EventStream } from './api'

let stream: EventStream<never> | null = null
let pages = 0

/** Listen as long as such a page is open, of which one may stand within another. */
export function followTurns(): () => void {
  if (!pages++) stream = new EventStream<never>('/api/turns', () => {}, () => {})
  return () => {
    if (!--pages) stream!.close()
  }
}
