// Duels: two games with the same cards from the same seat. A challenge contains everything that determines the game,
// and the challenger's play, sealed until the other game is over (docs/duels.md).
import { sha256 } from '@noble/hashes/sha2.js'
import { shake256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { deflate, fromBase64Url, inflate, toBase64Url } from '../client/recordLink'
import { checkOptions, EngineError, type Manifest } from '../engine'
import { storedFrom } from '../local/importRecord'
import type { Challenge, StoredEntry, StoredTable } from '../local/localTableStore'

/** The game that both people play. */
type SharedGame = Omit<Challenge, 'format' | 'name' | 'bots' | 'sealed'>

/** One player's game, and the version of the bots in it, if known. */
export interface Side {
  name: string
  bots?: string
  entries: string[]
}

/** Both games of a finished duel: the challenger's, and the answer to it. */
export interface DuelResult extends SharedGame {
  format: string
  sides: [Side, Side]
}

/** The reasons why a challenge or a result cannot be made or opened; each has a message. */
export type DuelProblem = 'damaged' | 'newer' | 'rules-differ' | 'options' | 'unfinished' | 'people' | 'played-on' | 'misfit'

export class DuelError extends Error {
  constructor(readonly reason: DuelProblem) {
    super(reason)
  }
}

const VERSION = 1
const formatOf = (kind: 'challenge' | 'duel'): string => `diamonds ${kind} ${VERSION}`
const FORMAT = /^diamonds (challenge|duel) (\d+)$/
const BOT = /^bot:([1-5]|simple)$/
const MAX_NAME_CHARS = 40
const MAX_VERSION_CHARS = 40
const MAX_SEATS = 6
const MAX_SEALED_CHARS = 2_000_000 // more than fits in a link: long games are sent as files
const [SALT_BYTES, TAG_BYTES, LENGTH_BYTES] = [8, 16, 4]
/** The length of the sealed play is rounded up to a multiple of this, so that it reveals little. */
const PADDING_BYTES = 1024

const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown, length?: number): value is string[] => Array.isArray(value) && value.every(isText) && value.length === (length ?? value.length)
/** Return the version of the bots, if the data has one. */
const botsOf = ({ bots }: { bots?: unknown }): { bots?: string } => (isText(bots) && bots ? { bots: bots.slice(0, MAX_VERSION_CHARS) } : {})
const isHex = (value: string, min: number, max: number): boolean => /^([0-9a-f]{2})*$/.test(value) && value.length >= 2 * min && value.length <= 2 * max

/** Return a name without invisible characters, at most 40 characters long. */
export const cleanName = (name: string): string => Array.from(name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()).slice(0, MAX_NAME_CHARS).join('')

/** Return the shared part of a game, with its keys in a fixed order. */
const sharedOf = ({ game, rules_version, seats, options, seated, secret, nonces }: SharedGame): SharedGame => ({ game, rules_version, seats, options, seated, secret, nonces })

/** Return the person's seat. */
export const seatOf = ({ seated }: SharedGame): number => seated.indexOf('person')

/**
 * Return the shared part of a finished game's record, and the person's entries and name. Throw a `DuelError` if others
 * played in it, a bot answered for the person, or its cards were known.
 */
export function sharedGame(record: Record<string, unknown>): { shared: SharedGame; side: Side } {
  if (!record['result']) throw new DuelError('unfinished')
  const [seated, entries] = [record['seated'] as string[], record['entries'] as string[]]
  if (record['fork']) throw new DuelError('played-on')
  const alone = seated.every((holder) => holder === 'person' || BOT.test(holder)) && seated.filter((holder) => holder === 'person').length === 1
  if (!alone || entries.some((line) => /^\d+ (seat |timeout)| by \S+$/.test(line))) throw new DuelError('people')
  const read = storedFrom(record, 0)
  if (!read) throw new DuelError('people')
  return { shared: sharedOf(record as unknown as SharedGame), side: { name: read.kept.name, ...botsOf(record), entries } }
}

/** Return a challenge to play a finished game. */
export async function makeChallenge(record: Record<string, unknown>, name: string): Promise<Challenge> {
  const { shared, side } = sharedGame(record)
  const open = { format: formatOf('challenge'), ...shared, name: cleanName(name), ...botsOf(side) }
  return { ...open, sealed: toBase64Url(await seal(side.entries, open)) }
}

/** Return the result of a duel, with both games. */
export const makeResult = (shared: SharedGame, sides: [Side, Side]): DuelResult => ({ format: formatOf('duel'), ...sharedOf(shared), sides })

/** Read a challenge or a result. Throw a `DuelError` if it is damaged or of an unknown format; its cards and entries are checked later. */
export function readDuel(text: string): Challenge | DuelResult {
  let data: Record<string, any>
  try {
    data = JSON.parse(text) as Record<string, any>
  } catch {
    throw new DuelError('damaged')
  }
  const [, kind, version] = FORMAT.exec(String(data?.['format'])) ?? []
  if (!kind) throw new DuelError('damaged')
  if (Number(version) !== VERSION) throw new DuelError('newer')
  const { game, rules_version, seats, options, seated, secret, nonces, name, sealed, sides } = data
  const isShared =
    isText(game) && Number.isInteger(rules_version) && Number.isInteger(seats) && seats > 1 && seats <= MAX_SEATS && isTexts(seated, seats) && isTexts(nonces, seats) &&
    seated.filter((holder) => holder === 'person').length === 1 && nonces.every((nonce) => isHex(nonce, 0, 64)) && isText(secret) && isHex(secret, 32, 32) &&
    typeof options === 'object' && options !== null && !Array.isArray(options)
  const isSide = (side: any): side is Side => isText(side?.name) && isTexts(side.entries)
  if (!isShared) throw new DuelError('damaged')
  if (!seated.every((holder) => holder === 'person' || BOT.test(holder))) throw new DuelError('newer')
  const shared = sharedOf(data as unknown as SharedGame)
  if (kind === 'challenge') {
    if (!isText(name) || !isText(sealed) || sealed.length > MAX_SEALED_CHARS || !/^[\w-]+$/.test(sealed)) throw new DuelError('damaged')
    return { format: formatOf('challenge'), ...shared, name: cleanName(name), ...botsOf(data), sealed }
  }
  if (!Array.isArray(sides) || sides.length !== 2 || !sides.every(isSide)) throw new DuelError('damaged')
  return makeResult(shared, sides.map(({ name: by, bots, entries }) => ({ name: cleanName(by), ...botsOf({ bots }), entries })) as [Side, Side])
}

export const isChallenge = (one: Challenge | DuelResult): one is Challenge => 'sealed' in one

/** Throw a `DuelError` if this program cannot play the game because of another version of the rules or unknown options. */
export function checkPlayable({ game, rules_version, seats, options }: SharedGame, { games }: Manifest): void {
  const info = games[game]
  if (!info) throw new DuelError('newer')
  if (info.version !== rules_version) throw new DuelError('rules-differ')
  try {
    checkOptions(game, info, seats, options)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new DuelError('options')
  }
}

/** Return a stored table of the shared game, with the id `id` and no entries. */
export function tableOf(shared: SharedGame, id: string, name: string): StoredTable {
  const { game, rules_version: version, seats, options, seated, secret, nonces } = shared
  return {
    id, game, version, seats, options, name, places: seated.map((holder) => (holder === 'person' ? 'me' : holder)), secret, nonces, fork: null, pace: 'steady', created: 0,
    again: null, last: 0, turn: false, over: false,
  }
}

/** Return lines as stored entries without times. */
export const storedEntries = (lines: string[]): StoredEntry[] => lines.map((line, n) => ({ n, line, at: 0 }))

/** Return the id of the table on which a challenge is played on this device. Each challenge has its own. */
export const tableIdOf = ({ secret, sealed }: Challenge): string => `own-duel${bytesToHex(sha256(utf8ToBytes(`${secret} ${sealed}`))).slice(0, 28)}`

/**
 * Return the key stream and tag key of a seal. They follow from the secret and the nonces, which every finished record contains. The secret is also
 * needed to deal the cards, so a seal hides the play from the page and its reader, not from someone with a program.
 */
function sealKeys(salt: Uint8Array, { secret, nonces }: Pick<SharedGame, 'secret' | 'nonces'>, length: number): { stream: Uint8Array; tagKey: Uint8Array } {
  const key = sha256(concatBytes(utf8ToBytes('diamonds duel'), salt, hexToBytes(secret), ...nonces.flatMap((nonce) => [Uint8Array.of(nonce.length / 2), hexToBytes(nonce)])))
  const stream = shake256.create({ dkLen: length }).update(key).update(utf8ToBytes('play')).digest()
  return { stream, tagKey: sha256(concatBytes(key, utf8ToBytes('tag'))) }
}

const xor = (bytes: Uint8Array, stream: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes, (byte, k) => byte ^ stream[k]!)

/** Return the tag of a ciphertext and the open part of its challenge. */
function tagOf(tagKey: Uint8Array, cipher: Uint8Array, { name, ...open }: SharedGame & { name: string }): Uint8Array {
  return sha256(concatBytes(tagKey, sha256(utf8ToBytes(JSON.stringify([sharedOf(open), name]))), cipher)).slice(0, TAG_BYTES)
}

/** Encrypt entries. Return a salt, the ciphertext, and a tag over both and the open part. */
async function seal(entries: string[], open: SharedGame & { name: string }): Promise<Uint8Array> {
  const packed = await deflate(JSON.stringify(entries))
  const plain = new Uint8Array(Math.ceil((LENGTH_BYTES + packed.length) / PADDING_BYTES) * PADDING_BYTES)
  new DataView(plain.buffer).setUint32(0, packed.length)
  plain.set(packed, LENGTH_BYTES)
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  const { stream, tagKey } = sealKeys(salt, open, plain.length)
  const cipher = xor(plain, stream)
  return concatBytes(salt, cipher, tagOf(tagKey, cipher, open))
}

/**
 * Return the challenger's entries, given the record of the finished answer to the challenge. Throw a `DuelError` if that game is not over or has other
 * cards, or if the seal is broken.
 */
export async function openSeal(challenge: Challenge, answer: Record<string, unknown>): Promise<string[]> {
  if (!answer['result']) throw new DuelError('unfinished')
  const sealed = Uint8Array.from(fromBase64Url(challenge.sealed))
  const [salt, cipher, tag] = [sealed.slice(0, SALT_BYTES), sealed.slice(SALT_BYTES, -TAG_BYTES), sealed.slice(-TAG_BYTES)]
  const { stream, tagKey } = sealKeys(salt, answer as unknown as SharedGame, cipher.length)
  if (cipher.length < LENGTH_BYTES || bytesToHex(tagOf(tagKey, cipher, challenge)) !== bytesToHex(tag)) throw new DuelError('misfit')
  const plain = xor(cipher, stream)
  try {
    const entries: unknown = JSON.parse(await inflate(plain.slice(LENGTH_BYTES, LENGTH_BYTES + new DataView(plain.buffer).getUint32(0))))
    if (isTexts(entries)) return entries
  } catch {
    // The decrypted text is not a list of entries.
  }
  throw new DuelError('misfit')
}
