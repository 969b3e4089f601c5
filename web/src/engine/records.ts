// Verification of records (docs/records.md): replays the game and compares. Errors have the same ids as on the server.
import { hexToBytes } from '@noble/hashes/utils.js'
import type { OptionValue } from '../client/options'
import { LocalGame, type Fork } from './game'
import { EngineError } from './error'
import type { RulesModule } from './rules'

type UnverifiedRecord = Record<string, unknown>

const KINDS = {
  string: ['record-kind-text', (value: unknown) => typeof value === 'string'],
  number: ['record-kind-number', Number.isInteger],
  object: ['record-kind-object', (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  list: ['record-kind-list', Array.isArray],
} as const
interface FieldTypes {
  string: string
  number: number
  object: UnverifiedRecord
  list: unknown[]
}

const SECRET_BYTES = 32
const MAX_NONCE_BYTES = 64
const LEVEL = '[a-z0-9_-]{1,12}'
const SEAT_HOLDER = new RegExp(`^(person|open|bot:${LEVEL})$`)
const ENTRY = new RegExp(
  `^\\d{1,2} (undo (0|[1-9]\\d{0,9})( agreed)?|seat (person|open|bot:${LEVEL})|timeout|(?!(undo|seat|timeout) )[^ ]+ [^ ]+( by ${LEVEL})?)$`,
)

function readField<Kind extends keyof FieldTypes>(data: UnverifiedRecord, key: string, kind: Kind): FieldTypes[Kind] {
  if (!(key in data)) throw new EngineError('record-lacks', { given: key })
  const [what, is] = KINDS[kind]
  if (!is(data[key])) throw new EngineError('record-should-be', { given: key, what: [what, {}] })
  return data[key] as FieldTypes[Kind]
}

function readTexts(data: UnverifiedRecord, key: string, length?: number): string[] {
  const values = readField(data, key, 'list')
  if (length !== undefined && values.length !== length) throw new EngineError('record-length', { given: key, number: length })
  values.forEach((value, k) => {
    if (typeof value !== 'string') throw new EngineError('record-should-be-text', { n: String(k), given: key })
  })
  return values as string[]
}

function hexBytes(text: string, key: string, minBytes: number, maxBytes: number): Uint8Array {
  if (!/^([0-9a-f]{2})*$/.test(text) || text.length < 2 * minBytes || text.length > 2 * maxBytes)
    throw minBytes === maxBytes
      ? new EngineError('record-hexadecimal', { given: key, number: minBytes })
      : new EngineError('record-hexadecimal-range', { given: key, few: minBytes, many: maxBytes })
  return hexToBytes(text)
}

function timesOf(data: UnverifiedRecord, entries: number): number[] | null {
  if (data['times'] === undefined || data['times'] === null) return null
  const times = readField(data, 'times', 'list') as number[]
  if (times.length !== entries) throw new EngineError('record-times', { entries, times: times.length })
  times.forEach((at, n) => {
    if (!Number.isSafeInteger(at) || at < (times[n - 1] ?? 0)) throw new EngineError('record-time', { n: String(n) })
  })
  return times
}

function forkOf(data: UnverifiedRecord, commitment: string, entries: number): Fork | null {
  if (data['fork'] === undefined || data['fork'] === null) return null
  const fork = readField(data, 'fork', 'object')
  const found = { commitment: readField(fork, 'commitment', 'string'), n: readField(fork, 'n', 'number') }
  if (found.commitment !== commitment || found.n < 0 || found.n > entries) throw new EngineError('record-fork')
  return found
}

/** Return the game of a record. Throw an `EngineError` if it is not a record of this format. */
export function gameOf(record: unknown, format: string): string {
  if (!KINDS.object[1](record)) throw new EngineError('record-not-an-object')
  if ((record as UnverifiedRecord)['format'] !== format) throw new EngineError('record-format', { given: format })
  return readField(record as UnverifiedRecord, 'game', 'string')
}

/**
 * Replay the game of a record and return it, having checked fair deals, legal answers, checksums and the result. Throw
 * an `EngineError` for the first difference. `format` is the manifest's.
 */
export function readRecord(record: unknown, rules: RulesModule, format: string): LocalGame {
  gameOf(record, format)
  const data = record as UnverifiedRecord
  const version = readField(data, 'rules_version', 'number')
  if (version !== rules.info.version) throw new EngineError('game-other-rules', { name: rules.name, version, ours: rules.info.version })
  const seats = readField(data, 'seats', 'number')
  const options = readField(data, 'options', 'object') as Record<string, OptionValue>
  if (data['secret'] === undefined || data['secret'] === null) throw new EngineError('record-no-secret')
  const secret = hexBytes(readField(data, 'secret', 'string'), 'secret', SECRET_BYTES, SECRET_BYTES)
  const nonces = readTexts(data, 'nonces', seats).map((nonce) => hexBytes(nonce, 'nonces', 0, MAX_NONCE_BYTES))
  const [players, seated] = [readTexts(data, 'players', seats), readTexts(data, 'seated', seats)]
  seated.forEach((who, number) => {
    if (!SEAT_HOLDER.test(who)) throw new EngineError('record-seated', { number })
  })
  const entries = readTexts(data, 'entries')
  const times = timesOf(data, entries.length)
  const fork = forkOf(data, readField(data, 'commitment', 'string'), entries.length)
  const bots = 'bots' in data ? readField(data, 'bots', 'string') : ''
  const game = new LocalGame(rules, { seats, options, players, seated, bots, secret, nonces, fork }, format)
  if (game.commitment !== data['commitment']) throw new EngineError('record-other-secret')
  replayEntries(game, entries, times, readTexts(data, 'checksums'))
  const result = data['result'] ?? null
  if (result && !game.over) throw new EngineError('record-early-result')
  if (result && !isEqual(result, game.result)) throw new EngineError('record-other-result')
  return game
}

/** Replay all entries; each deal must match its checksum. */
function replayEntries(game: LocalGame, entries: string[], times: number[] | null, checksums: string[]): void {
  compareChecksums(game, checksums, 0)
  entries.forEach((line, n) => {
    const place = { n: String(n), line: line.slice(0, 40) }
    if (!ENTRY.test(line)) throw new EngineError('record-entry-form', place)
    if (Number(line.split(' ')[0]) >= game.header.seats) throw new EngineError('record-entry-seat', place)
    const [, what, value] = line.split(' ')
    if (what === 'undo' && Number(value) > n) throw new EngineError('record-undo-ahead', place)
    if (what === 'undo' && game.over) throw new EngineError('record-undo-over', place)
    const dealt = game.checksums.length
    try {
      game.applyEntry(line, times?.[n] ?? 0)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      throw new EngineError('record-not-playable', { ...place, why: [error.id, error.values] })
    }
    compareChecksums(game, checksums, dealt, `${n} (${place.line})`)
  })
  const [number, led] = [checksums.length, game.checksums.length]
  if (number > led) throw new EngineError('record-deals', { number, led })
}

/** Compare the checksums from one deal on with those of the record. */
function compareChecksums({ checksums }: LocalGame, theirs: string[], from: number, entry = ''): void {
  for (let deal = from; deal < checksums.length; deal++) {
    const sums = { deal, ours: checksums[deal], theirs: theirs[deal]?.slice(0, 16) }
    if (sums.theirs === undefined) throw new EngineError('record-no-checksum', { deal })
    if (sums.ours !== theirs[deal]) throw entry ? new EngineError('record-diverges', { ...sums, entry }) : new EngineError('record-diverges-at-once', sums)
  }
}

/** Return whether two JSON values are equal, with keys in any order. */
function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one === other
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => isEqual((one as UnverifiedRecord)[key], (other as UnverifiedRecord)[key]))
}
