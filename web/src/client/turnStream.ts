// The turn feed, for pages without another stream.
import { EventStream } from './api'

let stream: EventStream<never> | null = null
let pages = 0

/** Follow the feed; return a function that stops it. Nested calls share one stream. */
export function followTurns(): () => void {
  if (!pages++) stream = new EventStream<never>('/api/turns', () => {}, () => {})
  return () => {
    if (!--pages) stream!.close()
  }
}
