// A Wasm module and its memory.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { FetchFile, FileManifest, ModuleManifest } from './manifest'

/** Fetch a file and verify its hash against the manifest. */
export async function verifyHash(info: FileManifest, fetch: FetchFile): Promise<Uint8Array<ArrayBuffer>> {
  const data = await fetch(info.file)
  if (bytesToHex(sha256(data)) !== info.sha256) throw new Error(`checksum: ${info.file}`)
  return data
}

export class WasmModule {
  private readonly functions: Record<string, (...values: (number | bigint)[]) => number>
  private readonly memory: WebAssembly.Memory
  private nextFree: number
  private readonly failedAt: number

  private constructor(instance: WebAssembly.Instance, free: number) {
    this.functions = instance.exports as never
    this.memory = instance.exports['memory'] as WebAssembly.Memory
    this.nextFree = free
    this.failedAt = this.allocate(2)
  }

  static async open(info: ModuleManifest, fetch: FetchFile): Promise<WasmModule> {
    const { instance } = await WebAssembly.instantiate(await verifyHash(info, fetch), {})
    return new WasmModule(instance, info.free)
  }

  /** Allocate 8-byte numbers and return their address. */
  allocate(numbers: number): number {
    const at = (this.nextFree + 31) & ~31
    this.nextFree = at + 8 * numbers
    const missing = this.nextFree - this.memory.buffer.byteLength
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65536))
    return at
  }

  /** Free all memory from this address on. */
  release(at: number): void {
    this.nextFree = at
  }

  /** Call a function, and free what it allocated. Throw an error if it fails, which means that its arguments were impossible. */
  call(name: string, ...values: (number | bigint)[]): void {
    this.functions['settle']!((this.nextFree + 31) & ~31)
    if (this.functions[name]!(this.failedAt, this.failedAt + 8, ...values)) throw new Error(`failed: ${name}`)
  }

  numbers(at: number, length: number): BigInt64Array {
    return new BigInt64Array(this.memory.buffer, at, length)
  }

  floats(at: number, length: number): Float64Array {
    return new Float64Array(this.memory.buffer, at, length)
  }

  bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, length)
  }
}
