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
  private readonly reasonAt: number
  private readonly out: number

  private constructor(
    private readonly info: GameManifest,
    private readonly module: WasmModule,
  ) {
    this.manifest = info.reasons!
    this.row = module.allocate(info.row)
    this.counts = module.allocate(2 * this.manifest.columns)
    this.reasonAt = module.allocate(this.width)
    this.out = module.allocate(1)
  }

  static open = async (info: GameManifest, fetch: FetchFile): Promise<Reasons> => new Reasons(info, await WasmModule.open(info.reasons!, fetch))

  /** Return the strongest reason for or against a candidate compared with a rival, based on the counts after each; at most one. */
  select(view: Row, seat: number, candidate: bigint, counts: Float64Array, rival: bigint, rivals: Float64Array, side = FOR): MessageText[] {
    const { module, info, manifest: about } = this
    const others = this.counts + 8 * about.columns
    module.numbers(this.row, info.row).set(view)
    module.floats(this.counts, about.columns).set(counts)
    module.floats(others, about.columns).set(rivals)
    module.call('because', this.row, BigInt(seat), candidate, this.counts, rival, others, side, this.reasonAt, this.out)
    if (!module.numbers(this.out, 1)[0]) return []
    const [which, ...values] = module.numbers(this.reasonAt, this.width)
    const { id, values: named } = about.ids[Number(which)]!
    return [[id, Object.fromEntries(named.map((value, at) => [value.name, valueData(value, values[at]!, info.cards)]))]]
  }

  /** Return the strongest reason for a candidate, then what is wrong with its rival. */
  withContrast(view: Row, seat: number, candidate: bigint, counts: Float64Array, rival: bigint, rivals: Float64Array): MessageText[] {
    return [FOR, CONTRAST].flatMap((side) => this.select(view, seat, candidate, counts, rival, rivals, side))
  }

  /** The size of a reason in memory: its index and values. */
  private get width(): number {
    return this.manifest.values + 1
  }
}
