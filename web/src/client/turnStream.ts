// On a page that listens to nothing else: where it is one's turn.
import { Stream } from './api'

let stream: Stream<never> | null = null
let pages = 0

/** Listen as long as such a page is open, of which one may stand within another. */
export function listen(): () => void {
  if (!pages++) stream = new Stream<never>('/api/turns', () => {}, () => {})
  return () => {
    if (!--pages) stream!.close()
  }
}
