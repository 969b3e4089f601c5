// A module of compiled rules, its memory, and room in it.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Fetch, FileInfo, ModuleInfo } from './manifest'

/** Fetch a file, and make sure that it is the one that the manifest speaks of. */
export async function checked(info: FileInfo, fetch: Fetch): Promise<Uint8Array<ArrayBuffer>> {
  const data = await fetch(info.file)
  if (bytesToHex(sha256(data)) !== info.sha256) throw new Error(`checksum: ${info.file}`)
  return data
}

export class Module {
  private readonly offered: Record<string, (...values: (number | bigint)[]) => number>
  private readonly memory: WebAssembly.Memory
  private at: number
  private readonly failed: number

  private constructor(instance: WebAssembly.Instance, free: number) {
    this.offered = instance.exports as never
    this.memory = instance.exports['memory'] as WebAssembly.Memory
    this.at = free
    this.failed = this.room(2)
  }

  static async open(info: ModuleInfo, fetch: Fetch): Promise<Module> {
    const { instance } = await WebAssembly.instantiate(await checked(info, fetch), {})
    return new Module(instance, info.free)
  }

  /** An address with room for so many numbers of eight bytes. */
  room(numbers: number): number {
    const at = (this.at + 31) & ~31
    this.at = at + 8 * numbers
    const missing = this.at - this.memory.buffer.byteLength
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65536))
    return at
  }

  /** From this address on, nothing is needed any more. */
  giveBack(at: number): void {
    this.at = at
  }

  /** Call a function; what it needs room for by itself is given back. A function that fails was asked for what cannot be. */
  call(name: string, ...values: (number | bigint)[]): void {
    this.offered['settle']!((this.at + 31) & ~31)
    if (this.offered[name]!(this.failed, this.failed + 8, ...values)) throw new Error(`failed: ${name}`)
  }

  numbers(at: number, length: number): BigInt64Array {
    return new BigInt64Array(this.memory.buffer, at, length)
  }

  measures(at: number, length: number): Float64Array {
    return new Float64Array(this.memory.buffer, at, length)
  }

  bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, length)
  }
}
