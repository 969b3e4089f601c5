// Why an answer is good, beside another: ids of sentences and their values, as `diamonds.bots.advising.reasons` has them.
import { valueData } from './data'
import { Module } from './wasmModule'
import type { Fetch, GameInfo, ReasonsInfo } from './manifest'
import type { Row } from './rules'
import type { Says } from './hintText'

export class Reasons {
  private readonly about: ReasonsInfo
  private readonly row: number
  private readonly counts: number
  private readonly told: number
  private readonly out: number

  private constructor(
    private readonly info: GameInfo,
    private readonly module: Module,
  ) {
    this.about = info.reasons!
    this.row = module.room(info.row)
    this.counts = module.room(2 * this.about.columns)
    this.told = module.room(this.about.told * this.width)
    this.out = module.room(1)
  }

  static open = async (info: GameInfo, fetch: Fetch): Promise<Reasons> => new Reasons(info, await Module.open(info.reasons!, fetch))

  /** The heaviest reasons for a candidate and against it, beside a rival: by what was counted after each of them. */
  because(view: Row, seat: number, candidate: bigint, counts: Float64Array, rival: bigint, rivals: Float64Array): Says[] {
    const { module, info, about, width } = this
    const others = this.counts + 8 * about.columns
    module.numbers(this.row, info.row).set(view)
    module.measures(this.counts, about.columns).set(counts)
    module.measures(others, about.columns).set(rivals)
    module.call('because', this.row, BigInt(seat), candidate, this.counts, rival, others, this.told, this.out)
    const number = Number(module.numbers(this.out, 1)[0])
    return Array.from({ length: number }, (_, k): Says => {
      const [which, ...values] = module.numbers(this.told + 8 * width * k, width)
      const { id, values: named } = about.ids[Number(which)]!
      const says: Says = [id, Object.fromEntries(named.map((value, at) => [value.name, valueData(value, values[at]!, info.cards)]))]
      return values.at(-1) ? ['hint-but', { reason: says }] : says
    })
  }

  /** The numbers of a reason: which, its values, and whether it begins with “but”. */
  private get width(): number {
    return this.about.values + 2
  }
}
