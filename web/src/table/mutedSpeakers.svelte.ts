// Whom one does not want to hear, kept in this browser; and what is left of what is said.
import { recall, remember, settings } from '../components/settings.svelte'
import type { ChatLine } from '../client/types'

const MOST = 200 // people muted; the first are forgotten

let silenced = $state<string[]>(recall('muted', []))

function keep(next: string[]): void {
  silenced = next.slice(-MOST)
  remember('muted', silenced)
}
export const muted = ({ by }: ChatLine): boolean => silenced.includes(by)
export const mute = ({ by }: ChatLine): void => keep([...silenced, by])
export const unmute = ({ by }: ChatLine): void => keep(silenced.filter((other) => other !== by))

/** What the reader wants to hear of what is said. */
export const heard = (lines: readonly ChatLine[]): ChatLine[] =>
  settings.talk === 'none' ? [] : lines.filter((line) => !muted(line) && (line.phrase || settings.talk === 'all'))
