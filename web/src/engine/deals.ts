// Fair deals (R3): cards derived from secrets, as in `diamonds.deals` (docs/records.md).
import { sha256 } from '@noble/hashes/sha2.js'
import { shake256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

export const newSecret = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32))

export const commitment = (secret: Uint8Array): string => bytesToHex(sha256(secret))

function dealKey(secret: Uint8Array, nonces: Uint8Array[], n: number): Uint8Array {
  const number = new Uint8Array(4)
  new DataView(number.buffer).setUint32(0, n)
  return sha256(concatBytes(secret, ...nonces.flatMap((nonce) => [Uint8Array.of(nonce.length), nonce]), number))
}

/** Return the pack shuffled by a key. Bytes that would bias it are skipped. */
function shuffle(key: Uint8Array, label: string, pack: number[]): number[] {
  const deck = [...pack]
  const stream = shake256.create().update(key).update(utf8ToBytes(label))
  for (let k = deck.length - 1; k > 0; k--) {
    const limit = 256 - (256 % (k + 1))
    let byte: number
    do byte = stream.xof(1)[0]!
    while (byte >= limit)
    const place = byte % (k + 1)
    ;[deck[k], deck[place]] = [deck[place]!, deck[k]!]
  }
  return deck
}

/** Return the shuffled pack of deal `n`, in dealing order. */
export const deck = (secret: Uint8Array, nonces: Uint8Array[], n: number, pack: number[]): number[] =>
  shuffle(dealKey(secret, nonces, n), 'deck', pack)

/** Return the card that each seat cuts before the first deal, from the pack in play. */
export const cut = (secret: Uint8Array, nonces: Uint8Array[], seats: number, pack: number[]): number[] =>
  shuffle(dealKey(secret, nonces, 0), 'cut', pack).slice(0, seats)
