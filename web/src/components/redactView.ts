// A replay as one seat saw it: redacts views and events that show everything.
import type { EventInfo } from '../client/types'
import type { View } from './boardScene'

// Fields in which a seat sees only its own entry (declared in `diamonds.fields`).
const OWN_ENTRY = ['hand', 'chosen', 'given', 'received']
const NO_ENTRY = ['piles']
/** Fields that everyone sees while a flag is set. Otherwise a seat sees its own entry (`own`) or nothing (`none`). */
const REVEALED_BY: [flag: string, own: string[], none: string[]][] = [
  ['open_vaults', ['vault'], []],
  ['bids_open', ['bid'], []],
  ['memory_aid', [], ['played', 'void', 'taken']],
]
/** Secret values of events, known only to the seats they concern and, for cards passed or handed over in a raid, the receiver. */
const SECRETS: Record<string, [value: string, ...whose: string[]]> = { passed: ['cards', 'seat', 'to'], dug: ['card', 'seat'], gave: ['card', 'seat', 'to'] }

/** Redact a full view to what one seat saw. */
export function viewFrom(view: View, seat: number): View {
  const seen: Record<string, any> = { ...view }
  if ('aside' in seen) seen.aside = null
  const keepOwn = (name: string) => {
    const isOwn = (at: number) => at === seat || (name === 'vault' && view.team[at] === view.team[seat])
    if (name in seen) seen[name] = seen[name].map((one: unknown, at: number) => (isOwn(at) ? one : null))
  }
  const keepNone = (name: string) => {
    if (name in seen) seen[name] = seen[name].map((one: unknown) => (Array.isArray(one) && name !== 'played' && name !== 'void' ? one.map(() => null) : null))
  }
  OWN_ENTRY.forEach(keepOwn)
  NO_ENTRY.forEach(keepNone)
  for (const [flag, own, none] of REVEALED_BY) {
    if (seen[flag] !== false) continue
    own.forEach(keepOwn)
    none.forEach(keepNone)
  }
  return seen as View
}

/** Redact an event to what one seat saw. */
export function eventFrom(told: EventInfo, seat: number): EventInfo {
  const { event } = told
  const [value, ...whose] = SECRETS[event.event as string] ?? []
  if (!value || !(value in event) || whose.some((one) => event[one] === seat)) return told
  return { ...told, event: { ...event, [value]: null } }
}
