// Muted people, stored in this browser, and the chat without them.
import { loadSetting, saveSetting, settings } from '../components/settings.svelte'
import type { ChatMessageInfo } from '../client/types'

const MAX_MUTED = 200 // the oldest are dropped

let mutedIds = $state<string[]>(loadSetting('muted', []))

function store(next: string[]): void {
  mutedIds = next.slice(-MAX_MUTED)
  saveSetting('muted', mutedIds)
}
export const isMuted = ({ speaker: by }: ChatMessageInfo): boolean => mutedIds.includes(by)
export const mute = ({ speaker: by }: ChatMessageInfo): void => store([...mutedIds, by])
export const unmute = ({ speaker: by }: ChatMessageInfo): void => store(mutedIds.filter((other) => other !== by))

/** Return the messages that the viewer wants to see. */
export const visibleMessages = (lines: readonly ChatMessageInfo[]): ChatMessageInfo[] =>
  settings.talk === 'none' ? [] : lines.filter((line) => !isMuted(line) && (line.phrase || settings.talk === 'all'))
