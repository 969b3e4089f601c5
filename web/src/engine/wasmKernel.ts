// The common base of the Wasm modules for search and review: view in memory, learned weights, answer names.
import { bitIndexes } from './rowDecoding'
import { verifyHash, WasmModule } from './wasmModule'
import type { FetchFile, GameManifest } from './manifest'
import type { Row } from './rules'

export const MAX_SEATS = 6

export interface OpenKernel {
  info: GameManifest
  module: WasmModule
  learned: Uint8Array
}

/** Open a module of a game for search or review, with its learned weights. */
export async function openKernel(info: GameManifest, kind: 'thinking' | 'review', fetch: FetchFile): Promise<OpenKernel> {
  const { learned } = info.thinking!
  return { info, module: await WasmModule.open(info[kind]!, fetch), learned: learned ? await verifyHash(learned, fetch) : new Uint8Array() }
}

export class WasmKernel {
  protected readonly info: GameManifest
  protected readonly module: WasmModule
  protected readonly row: number
  protected readonly searchParams: number
  protected readonly learned: number
  protected readonly out: number

  protected constructor({ info, module, learned }: OpenKernel) {
    this.info = info
    this.module = module
    this.row = module.allocate(info.row)
    this.searchParams = module.allocate(info.thinking!.weighing.length)
    this.learned = module.allocate(Math.ceil(learned.length / 8))
    this.out = module.allocate(2 * MAX_SEATS)
    module.bytes(this.learned, learned.length).set(learned)
  }

  /** Return the names of a candidate's answers that have not been given yet. */
  answerNames(view: Row, seat: number, candidate: bigint): (number | string)[] {
    this.call(view, 'answers', BigInt(seat), candidate, this.out)
    const { answers } = this.info.questions[Number(view[2])]!
    return bitIndexes(this.module.numbers(this.out, 1)[0]!).map((answer) => answers[answer]!)
  }

  /** Return the current margin in points. */
  protected worth(row: Row, seat: number): number {
    this.call(row, 'worth', BigInt(seat), this.out)
    return this.module.floats(this.out, 1)[0]!
  }

  protected call(row: Row, name: string, ...values: (number | bigint)[]): void {
    this.module.numbers(this.row, this.info.row).set(row)
    this.module.call(name, this.row, ...values)
  }

  protected setSearchParams(params: number[]): void {
    this.module.floats(this.searchParams, params.length).set(params)
  }
}

/** Return the sum of numbers, added in order. */
export const sum = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Return the mean of independent values and its standard error. */
export function meanAndError(values: number[]): [mean: number, error: number] {
  const mean = sum(values) / values.length
  const square = sum(values.map((value) => (value - mean) * (value - mean)))
  return [mean, Math.sqrt(square / (values.length - 1)) / Math.sqrt(values.length)]
}
