import type { CrystalsView, EventInfo } from '../../client/types'

/** Return the events of this round; `null` unless the table shows all of its actions (C14). Crystals move in public (C4). */
export function roundEvents({ memory_aid, round }: CrystalsView, log: readonly EventInfo[]): EventInfo[] | null {
  const start = log.findLastIndex(({ event }) => event.event === 'dealt' && event.round === round)
  if (start < 0 || !memory_aid) return null
  const after = log.slice(start + 1)
  const end = after.findIndex(({ event }) => event.event === 'dealt')
  return end < 0 ? after : after.slice(0, end)
}
