// Import of records as local tables: games of one person against bots, without substitutes.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Fork } from '../engine'
import { publicSecret } from '../engine/dailyDeals'
import { dailyDealOf } from './dailyTableIds'
import type { OptionValue } from '../client/options'
import type { StoredEntry, StoredTable } from './localTableStore'

export { readRecord } from '../engine'

type UnverifiedRecord = Record<string, unknown>

/** Return the records in a text: a single one, or one per line. Anything else is skipped. */
export function parseRecords(text: string): UnverifiedRecord[] {
  const whole = parseRecord(text)
  return (whole ? [whole] : text.split('\n').map(parseRecord)).filter((one) => one !== null)
}

function parseRecord(text: string): UnverifiedRecord | null {
  try {
    const data: unknown = JSON.parse(text)
    return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as UnverifiedRecord) : null
  } catch {
    return null
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : [])
const isHex = (value: unknown, bytes: number): value is string => isText(value) && /^([0-9a-f]{2})*$/.test(value) && (value.length === 2 * bytes || bytes < 0)

/** Return whether a table id names a deal of the day with this secret. */
function isDealOfDay(id: string, game: string, secret: string): boolean {
  const deal = dailyDealOf(id)
  return deal !== null && deal.game === game && bytesToHex(publicSecret(deal.day, game)) === secret
}

/** Return a record as a stored table, or `null` if it cannot be continued on this device. The rules check its entries later. */
export function storedFrom(record: UnverifiedRecord, now: number): { kept: StoredTable; entries: StoredEntry[] } | null {
  const { game, rules_version: version, seats, options, secret, own } = record
  const [players, seated, nonces, lines] = [texts(record['players']), texts(record['seated']), texts(record['nonces']), texts(record['entries'])]
  const me = seated.indexOf('person')
  const places = seated.map((who, seat) => (seat === me ? 'me' : who))
  const whole = players.length === seats && seated.length === seats && nonces.length === seats && nonces.every((one) => isHex(one, -1) && one.length <= 128)
  if (!isText(game) || typeof version !== 'number' || typeof seats !== 'number' || !isHex(secret, 32) || !whole || me < 0) return null
  if (!places.every((place) => place === 'me' || /^bot:([1-5]|simple)$/.test(place))) return null
  if (!lines.every((line) => /^\d \S+ \S+$/.test(line) && !/^\d (seat|timeout) /.test(line))) return null
  const times = Array.isArray(record['times']) ? record['times'].map(Number) : []
  const entries = lines.map((line, n) => ({ n, line, at: times[n] || now }))
  const id = isText(own) && (/^own-[0-9a-f]{32}$/.test(own) || isDealOfDay(own, game, secret)) ? own : `own-${bytesToHex(sha256(utf8ToBytes(JSON.stringify([secret, nonces, lines])))).slice(0, 32)}`
  const created = times[0] || now
  const kept: StoredTable = {
    id, game, version, seats, options: options as Record<string, OptionValue>, name: players[me]!.slice(0, 40), places, secret, nonces,
    ...(isText(record['bots']) && { bots: record['bots'].slice(0, 40) }), fork: (record['fork'] as Fork | undefined) ?? null, pace: 'steady', created, again: null, last: created, turn: false, over: false,
  }
  return { kept, entries }
}
