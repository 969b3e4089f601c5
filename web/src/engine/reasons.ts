// Reasons why one answer is better than another: ids and values, as in `diamonds.bots.analysis.reason_text`.
import { valueData } from './data'
import { WasmModule } from './wasmModule'
import type { FetchFile, GameManifest, ReasonsManifest } from './manifest'
import type { Row } from './rules'
import type { MessageText } from './hintText'

export class Reasons {
  private readonly manifest: ReasonsManifest
  private readonly row: number
  private readonly counts: number
  private readonly reasonsAt: number
  private readonly out: number

  private constructor(
    private readonly info: GameManifest,
    private readonly module: WasmModule,
  ) {
    this.manifest = info.reasons!
    this.row = module.allocate(info.row)
    this.counts = module.allocate(2 * this.manifest.columns)
    this.reasonsAt = module.allocate(this.manifest.told * this.width)
    this.out = module.allocate(1)
  }

  static open = async (info: GameManifest, fetch: FetchFile): Promise<Reasons> => new Reasons(info, await WasmModule.open(info.reasons!, fetch))

  /** The heaviest reasons for a candidate and against it, beside a rival: by what was counted after each of them. */
  select(view: Row, seat: number, candidate: bigint, counts: Float64Array, rival: bigint, rivals: Float64Array): MessageText[] {
    const { module, info, manifest: about, width } = this
    const others = this.counts + 8 * about.columns
    module.numbers(this.row, info.row).set(view)
    module.floats(this.counts, about.columns).set(counts)
    module.floats(others, about.columns).set(rivals)
    module.call('because', this.row, BigInt(seat), candidate, this.counts, rival, others, this.reasonsAt, this.out)
    const number = Number(module.numbers(this.out, 1)[0])
    return Array.from({ length: number }, (_, k): MessageText => {
      const [which, ...values] = module.numbers(this.reasonsAt + 8 * width * k, width)
      const { id, values: named } = about.ids[Number(which)]!
      const text: MessageText = [id, Object.fromEntries(named.map((value, at) => [value.name, valueData(value, values[at]!, info.cards)]))]
      return values.at(-1) ? ['hint-but', { reason: text }] : text
    })
  }

  /** The numbers of a reason: which, its values, and whether it begins with “but”. */
  private get width(): number {
    return this.manifest.values + 2
  }
}
