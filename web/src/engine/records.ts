// Records (docs/records.md), played again: whatever one says has to come out. What cannot be is refused by the ids that the house has for it.
import { hexToBytes } from '@noble/hashes/utils.js'
import type { Value } from '../client/options'
import { OwnGame, type Fork } from './game'
import { Refused } from './error'
import type { Rules } from './rules'

type Written = Record<string, unknown>

const KINDS = {
  string: ['record-kind-text', (value: unknown) => typeof value === 'string'],
  number: ['record-kind-number', Number.isInteger],
  object: ['record-kind-object', (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  list: ['record-kind-list', Array.isArray],
} as const
interface Taken {
  string: string
  number: number
  object: Written
  list: unknown[]
}

const SECRET = 32 // bytes
const NONCE = 64
const LEVEL = '[a-z0-9_-]{1,12}'
const WHO = new RegExp(`^(person|open|bot:${LEVEL})$`)
const ENTRY = new RegExp(
  `^\\d{1,2} (undo (0|[1-9]\\d{0,9})( agreed)?|seat (person|open|bot:${LEVEL})|timeout|(?!(undo|seat|timeout) )[^ ]+ [^ ]+( by ${LEVEL})?)$`,
)

function take<Kind extends keyof Taken>(data: Written, key: string, kind: Kind): Taken[Kind] {
  if (!(key in data)) throw new Refused('record-lacks', { given: key })
  const [what, is] = KINDS[kind]
  if (!is(data[key])) throw new Refused('record-should-be', { given: key, what: [what, {}] })
  return data[key] as Taken[Kind]
}

function strings(data: Written, key: string, length?: number): string[] {
  const values = take(data, key, 'list')
  if (length !== undefined && values.length !== length) throw new Refused('record-length', { given: key, number: length })
  values.forEach((value, k) => {
    if (typeof value !== 'string') throw new Refused('record-should-be-text', { n: String(k), given: key })
  })
  return values as string[]
}

function bytes(text: string, key: string, least: number, most: number): Uint8Array {
  if (!/^([0-9a-f]{2})*$/.test(text) || text.length < 2 * least || text.length > 2 * most)
    throw least === most
      ? new Refused('record-hexadecimal', { given: key, number: least })
      : new Refused('record-hexadecimal-range', { given: key, few: least, many: most })
  return hexToBytes(text)
}

function timesOf(data: Written, entries: number): number[] | null {
  if (data['times'] === undefined || data['times'] === null) return null
  const times = take(data, 'times', 'list') as number[]
  if (times.length !== entries) throw new Refused('record-times', { entries, times: times.length })
  times.forEach((at, n) => {
    if (!Number.isSafeInteger(at) || at < (times[n - 1] ?? 0)) throw new Refused('record-time', { n: String(n) })
  })
  return times
}

function forkOf(data: Written, commitment: string, entries: number): Fork | null {
  if (data['fork'] === undefined || data['fork'] === null) return null
  const fork = take(data, 'fork', 'object')
  const found = { commitment: take(fork, 'commitment', 'string'), n: take(fork, 'n', 'number') }
  if (found.commitment !== commitment || found.n < 0 || found.n > entries) throw new Refused('record-fork')
  return found
}

/** Which game a record is of; `Refused` for what is no record of this format. */
export function gameOf(record: unknown, format: string): string {
  if (!KINDS.object[1](record)) throw new Refused('record-not-an-object')
  if ((record as Written)['format'] !== format) throw new Refused('record-format', { given: format })
  return take(record as Written, 'game', 'string')
}

/**
 * The game of a record, played again by its rules: fair deals, legal answers, the same checksums and the same result, or `Refused` with the first
 * thing that is not so. `format` is the one that the manifest names.
 */
export function readRecord(record: unknown, rules: Rules, format: string): OwnGame {
  gameOf(record, format)
  const data = record as Written
  const version = take(data, 'rules_version', 'number')
  if (version !== rules.info.version) throw new Refused('game-other-rules', { name: rules.name, version, ours: rules.info.version })
  const seats = take(data, 'seats', 'number')
  const options = take(data, 'options', 'object') as Record<string, Value>
  if (data['secret'] === undefined || data['secret'] === null) throw new Refused('record-no-secret')
  const secret = bytes(take(data, 'secret', 'string'), 'secret', SECRET, SECRET)
  const nonces = strings(data, 'nonces', seats).map((nonce) => bytes(nonce, 'nonces', 0, NONCE))
  const [players, seated] = [strings(data, 'players', seats), strings(data, 'seated', seats)]
  seated.forEach((who, number) => {
    if (!WHO.test(who)) throw new Refused('record-seated', { number })
  })
  const entries = strings(data, 'entries')
  const times = timesOf(data, entries.length)
  const fork = forkOf(data, take(data, 'commitment', 'string'), entries.length)
  const game = new OwnGame(rules, { seats, options, players, seated, secret, nonces, fork }, format)
  if (game.commitment !== data['commitment']) throw new Refused('record-other-secret')
  playAgain(game, entries, times, strings(data, 'checksums'))
  const result = data['result'] ?? null
  if (result && !game.over) throw new Refused('record-early-result')
  if (result && !same(result, game.result)) throw new Refused('record-other-result')
  return game
}

/** All that happened; each deal has to come out as its checksum says. */
function playAgain(game: OwnGame, entries: string[], times: number[] | null, checksums: string[]): void {
  compare(game, checksums, 0)
  entries.forEach((line, n) => {
    const place = { n: String(n), line: line.slice(0, 40) }
    if (!ENTRY.test(line)) throw new Refused('record-entry-form', place)
    if (Number(line.split(' ')[0]) >= game.header.seats) throw new Refused('record-entry-seat', place)
    const [, what, value] = line.split(' ')
    if (what === 'undo' && Number(value) > n) throw new Refused('record-undo-ahead', place)
    if (what === 'undo' && game.over) throw new Refused('record-undo-over', place)
    const dealt = game.checksums.length
    try {
      game.again(line, times?.[n] ?? 0)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      throw new Refused('record-not-playable', { ...place, why: [error.id, error.values] })
    }
    compare(game, checksums, dealt, `${n} (${place.line})`)
  })
  const [number, led] = [checksums.length, game.checksums.length]
  if (number > led) throw new Refused('record-deals', { number, led })
}

/** The checksums from a deal on, beside those of the record. */
function compare({ checksums }: OwnGame, theirs: string[], from: number, entry = ''): void {
  for (let deal = from; deal < checksums.length; deal++) {
    const sums = { deal, ours: checksums[deal], theirs: theirs[deal]?.slice(0, 16) }
    if (sums.theirs === undefined) throw new Refused('record-no-checksum', { deal })
    if (sums.ours !== theirs[deal]) throw entry ? new Refused('record-diverges', { ...sums, entry }) : new Refused('record-diverges-at-once', sums)
  }
}

/** Whether two things that JSON can say are the same, in whatever order their keys stand. */
function same(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one === other
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => same((one as Written)[key], (other as Written)[key]))
}
