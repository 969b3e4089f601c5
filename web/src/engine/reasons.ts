// Reasons why one answer is better than another, as messages; as in `diamonds.bots.analysis.reason_text`.
import { valueData } from './rowDecoding'
import { WasmModule } from './wasmModule'
import type { FetchFile, GameManifest, ReasonsManifest } from './manifest'
import type { Row } from './rules'
import type { MessageText } from './hintText'

/** Kinds of reasons: against an answer, for it, and about what is wrong with its rival. */
export const [AGAINST, FOR, CONTRAST] = [-1n, 1n, 2n]

export class Reasons {
  private readonly manifest: ReasonsManifest
  private readonly row: number
  private readonly counts: number
  private readonly ranked: number
  private readonly out: number

  private constructor(
    private readonly info: GameManifest,
    private readonly module: WasmModule,
  ) {
    this.manifest = info.reasons!
    this.row = module.allocate(info.row)
    this.counts = module.allocate(2 * this.manifest.columns)
    this.ranked = module.allocate(this.manifest.most * this.width)
    this.out = module.allocate(1)
  }

  static open = async (info: GameManifest, fetch: FetchFile): Promise<Reasons> => new Reasons(info, await WasmModule.open(info.reasons!, fetch))

  /** Return the reasons for or against a candidate compared with a rival, the strongest first, based on the events counted after each of the two. */
  list(view: Row, seat: number, candidate: bigint, counts: Float64Array, rival: bigint, rivals: Float64Array, side = FOR): MessageText[] {
    const { module, info, manifest: about } = this
    const others = this.counts + 8 * about.columns
    module.numbers(this.row, info.row).set(view)
    module.floats(this.counts, about.columns).set(counts)
    module.floats(others, about.columns).set(rivals)
    module.call('because', this.row, BigInt(seat), candidate, this.counts, rival, others, side, this.ranked, this.out)
    const numbers = [...module.numbers(this.ranked, Number(module.numbers(this.out, 1)[0]) * this.width)]
    return Array.from({ length: numbers.length / this.width }, (_, k): MessageText => {
      const [which, ...values] = numbers.slice(k * this.width, (k + 1) * this.width)
      const { id, values: named } = about.ids[Number(which)]!
      return [id, Object.fromEntries(named.map((value, at) => [value.name, valueData(value, values[at]!, info.cards)]))]
    })
  }

  /** The size of a reason in memory: its index and values. */
  private get width(): number {
    return this.manifest.values + 1
  }
}
