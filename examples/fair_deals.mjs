// Deal the cards of a record again, without a library: node fair_deals.mjs game.json 0 1 (the first two deals)
// docs/records.md explains each step. 4,096 bytes of a stream are far more than sixty cards need.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import process from 'node:process'

const COURT = { 1: 'A', 11: 'J', 12: 'Q', 13: 'K' }
const PERFECT_RANKS = { 2: 8, 3: 9, 4: 13, 5: 15 } // by number of players (C24)

const hex = (text) => Buffer.from(text, 'hex')

function dealKey(secret, nonces, n) {
  const hash = createHash('sha256').update(hex(secret))
  for (const nonce of nonces) hash.update(Buffer.from([nonce.length / 2])).update(hex(nonce))
  const number = Buffer.alloc(4)
  number.writeUInt32BE(Number(n))
  return hash.update(number).digest()
}

function shuffle(key, label, pack) {
  const deck = [...pack]
  const stream = createHash('shake256', { outputLength: 4096 }).update(key).update(label).digest()
  let read = 0
  for (let k = deck.length - 1; k > 0; k--) {
    while (stream[read] >= 256 - (256 % (k + 1))) read++
    const place = stream[read++] % (k + 1)
    ;[deck[k], deck[place]] = [deck[place], deck[k]]
  }
  return deck
}

function cardsInPlay({ game, seats, options }) {
  const ranks = game !== 'crystals' ? 13 : options.perfect ? PERFECT_RANKS[seats] : 15
  const name = (rank) => (game === 'crystals' ? rank : (COURT[rank] ?? rank))
  return [...'DHSC'].flatMap((suit) => Array.from({ length: ranks }, (_, k) => suit + name(k + 1)))
}

const record = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const { secret, nonces, seats, commitment } = record
const matches = createHash('sha256').update(hex(secret)).digest('hex') === commitment
console.log(`commitment ${matches ? 'kept' : 'BROKEN'}`)
const pack = cardsInPlay(record)
console.log(`cut ${shuffle(dealKey(secret, nonces, 0), 'cut', pack).slice(0, seats).join(' ')}`)
for (const n of process.argv.slice(3)) {
  const key = dealKey(secret, nonces, n)
  console.log(`key ${key.toString('hex')}\ndeck ${shuffle(key, 'deck', pack).join(' ')}`)
}
