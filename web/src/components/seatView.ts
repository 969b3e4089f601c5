// A replay as one seat saw it: its views have everything, those of a seat do not.
import type { EventInfo } from '../client/types'
import type { View } from './scene'

// As the games declare their fields (`diamonds.fields`): of these a seat sees its own entry, or none.
const OWN_ENTRY = ['hand', 'chosen', 'given', 'received']
const NO_ENTRY = ['piles']
/** Fields that are open to all while a flag is set: of some a seat sees its own entry, of others none. */
const REVEALED_BY: [flag: string, own: string[], none: string[]][] = [
  ['open_vaults', ['vault'], []],
  ['bids_open', ['bid'], []],
  ['memory_aid', [], ['played', 'void', 'taken']],
]
/** What an event tells these alone: the seat it is about, or also the one to whom something went. */
const SECRETS: Record<string, [value: string, ...whose: string[]]> = { passed: ['cards', 'seat', 'to'], dug: ['card', 'seat'], gave: ['card', 'seat', 'to'] }

/** A view that sees everything, as one seat saw it. */
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

/** An event, as one seat heard of it. */
export function eventFrom(told: EventInfo, seat: number): EventInfo {
  const { event } = told
  const [value, ...whose] = SECRETS[event.event as string] ?? []
  if (!value || !(value in event) || whose.some((one) => event[one] === seat)) return told
  return { ...told, event: { ...event, [value]: null } }
}
