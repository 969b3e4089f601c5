// Random bits from a seed: NumPy's `SeedSequence`, for one 64-bit output.
import { sha256 } from '@noble/hashes/sha2.js'

const WORDS = 4
const SHIFT = 16

/** Return a 32-bit hash function whose multiplier changes with each call. */
function stirrer(first: number, factor: number): (value: number) => number {
  let by = first
  return (value) => {
    let found = value ^ by
    by = Math.imul(by, factor)
    found = Math.imul(found, by)
    return found ^ (found >>> SHIFT)
  }
}

function mix(one: number, other: number): number {
  const found = Math.imul(0xca01f9dd, one) - Math.imul(0x4973f715, other)
  return found ^ ((found | 0) >>> SHIFT)
}

/** Return 64 random bits from a seed with 0 ≤ seed < 2¹²⁸. */
export function seedBits(seed: bigint): bigint {
  const stir = stirrer(0x43b0d7e5, 0x931e8875)
  const pool = Array.from({ length: WORDS }, (_, k) => stir(Number((seed >> BigInt(32 * k)) & 0xffffffffn)))
  for (let from = 0; from < WORDS; from++)
    for (let to = 0; to < WORDS; to++) if (to !== from) pool[to] = mix(pool[to]!, stir(pool[from]!))
  const draw = stirrer(0x8b51f9dd, 0x58f38ded)
  const [low, high] = [draw(pool[0]!), draw(pool[1]!)].map((word) => BigInt(word >>> 0))
  return (high! << 32n) | low!
}

/** Return a seed derived from a view, so that the hint is the same in the game and in its review. */
export const viewSeed = (view: BigInt64Array): bigint =>
  sha256(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)).slice(0, 7).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
