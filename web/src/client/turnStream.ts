// The turn feed for pages without a stream of their own.
import { EventStream } from './api'

let stream: EventStream<never> | null = null
let pages = 0

/** Follow the feed; return the function that stops. Nested calls share one stream. */
export function followTurns(): () => void {
  if (!pages++) stream = new EventStream<never>('/api/turns', () => {}, () => {})
  return () => {
    if (!--pages) stream!.close()
  }
}
