// What bots think with, compiled: from a view, a level and 64 random bits to an answer. It takes time, so it belongs in a worker.
import { checked, Module } from './module'
import type { Fetch, GameInfo } from './manifest'
import type { Row } from './rules'

/** What a decision finds: candidates, what each is worth and in how many worlds it was tried; the place of the best; the answer. */
export interface Decision {
  candidates: bigint[]
  worth: number[]
  tried: number[]
  best: number
  answer: number
}

export class Mind {
  private readonly row: number
  private readonly effort: number
  private readonly candidates: number
  private readonly worth: number
  private readonly tried: number
  private readonly out: number
  private readonly learned: number

  private constructor(
    private readonly info: GameInfo,
    private readonly module: Module,
    learned: Uint8Array,
  ) {
    const most = info.thinking!.candidates
    this.row = module.room(info.row)
    this.effort = module.room(64)
    this.candidates = module.room(most)
    this.worth = module.room(most)
    this.tried = module.room(most)
    this.out = module.room(4)
    this.learned = module.room(Math.ceil(learned.length / 8))
    module.bytes(this.learned, learned.length).set(learned)
  }

  static async open(info: GameInfo, fetch: Fetch): Promise<Mind> {
    const { learned } = info.thinking!
    return new Mind(info, await Module.open(info.thinking!, fetch), learned ? await checked(learned, fetch) : new Uint8Array())
  }

  /** The answer of a level to the question open in a view. */
  think(view: Row, seat: number, level: string, bits: bigint): Decision {
    const { module, info } = this
    const effort = info.thinking!.efforts[level]!
    module.numbers(this.row, info.row).set(view)
    module.measures(this.effort, effort.length).set(effort)
    module.call('think', this.row, BigInt(seat), this.effort, this.learned, 0n, BigInt.asIntN(64, bits), this.candidates, this.worth, this.tried, this.out)
    const [number, best, answer] = [...module.numbers(this.out, 3)].map(Number)
    if (best! < 0) throw new RangeError('view') // of no game that goes on
    return {
      candidates: [...module.numbers(this.candidates, number!)],
      worth: [...module.measures(this.worth, number!)],
      tried: [...module.numbers(this.tried, number!)].map(Number),
      best: best!,
      answer: answer!,
    }
  }

  /** The answer by rules of thumb. */
  choose(view: Row, seat: number): number {
    this.module.numbers(this.row, this.info.row).set(view)
    this.module.call('choose', this.row, BigInt(seat), this.out)
    return Number(this.module.numbers(this.out, 1)[0])
  }
}
