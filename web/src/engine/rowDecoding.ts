// Rows and events as names, numbers and lists, decoded by the declarations in the manifest.
import type { FieldManifest, GameManifest, ValueKind, ValueManifest } from './manifest'

export type Data = null | boolean | number | string | Data[]

const SUITS = 'DHSC'

/** Return the positions of the set bits, ascending. */
export function bitIndexes(bits: bigint): number[] {
  const found: number[] = []
  for (let k = 0, left = bits; left > 0n; k++, left >>= 1n) if (left & 1n) found.push(k)
  return found
}

/** Decode a number to its JSON value; −1 becomes `null`. */
function decode(kind: ValueKind, value: bigint, cards: string[]): Data {
  if (value === -1n) return null
  if (kind === 'cards') return bitIndexes(value).map((card) => cards[card]!)
  if (kind === 'card' || kind === 'trick') return cards[Number(value)]!
  if (kind === 'suit') return SUITS[Number(value)]!
  if (kind === 'suits') return bitIndexes(value).map((suit) => SUITS[suit]!)
  return kind === 'flag' ? value !== 0n : Number(value)
}

function fieldData(field: FieldManifest, row: BigInt64Array, teams: number[], game: GameManifest, maxSeats: number): Data {
  const [length = 0, width = 1] = field.shape
  const number = (k: number): Data => decode(field.kind, row[field.at + k]!, game.cards)
  if (!length) return number(0)
  if (field.kind === 'trick') return Array.from({ length }, (_, k) => number(k)).filter((card) => card !== null)
  if (field.kind === 'owners') {
    const owner = (k: number): number => teams.findIndex((_, seat) => (row[field.at + seat]! >> BigInt(k)) & 1n)
    return Array.from({ length: field.places }, (_, k) => (owner(k) < 0 ? null : owner(k)))
  }
  const bySeat = length === maxSeats
  const places = Array.from({ length: bySeat ? teams.length : length }, (_, k) => (bySeat && field.by_team ? teams[k]! : k))
  if (field.shape.length === 1) return places.map(number)
  return places.map((k) => Array.from({ length: width }, (_, j) => number(k * width + j)))
}

/** Decode a view or a state. Arrays over seats are cut to the number of seats; a team's value is repeated for each member. */
export function rowData(row: BigInt64Array, teams: number[], game: GameManifest, maxSeats: number): Record<string, Data> {
  const data: Record<string, Data> = {}
  for (const field of game.fields) if (!field.derived) data[field.name] = fieldData(field, row, teams, game, maxSeats)
  data['to_act'] = bitIndexes(row[1]!)
  data['question'] = row[1] ? game.questions[Number(row[2])]!.name : null
  data['team'] = teams
  return data
}

/** Decode an event for a seat (−1: a spectator; `null`: a reader of the record of a finished game). */
export function eventData(row: BigInt64Array, seat: number | null, game: GameManifest): Record<string, Data> {
  const { name, values } = game.events[Number(row[0])]!
  const data: Record<string, Data> = { event: name }
  values.forEach((value, k) => {
    const isAddressee = (whom: string): boolean => Number(row[1 + values.findIndex((other) => other.name === whom)]) === seat
    data[value.name] = seat === null || !value.to.length || value.to.some(isAddressee) ? decode(value.kind, row[1 + k]!, game.cards) : null
  })
  return data
}

export const valueData = (value: ValueManifest, number: bigint, cards: string[]): Data => decode(value.kind, number, cards)
