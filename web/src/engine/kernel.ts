// What every module that thinks about a game shares: a view in its memory, what training has found, and names for answers.
import { members } from './data'
import { checked, Module } from './wasmModule'
import type { Fetch, GameInfo } from './manifest'
import type { Row } from './rules'

export const MOST_SEATS = 6

export interface Opened {
  info: GameInfo
  module: Module
  learned: Uint8Array
}

/** Open one of a game's modules that think, with what training has found. */
export async function open(info: GameInfo, kind: 'thinking' | 'review', fetch: Fetch): Promise<Opened> {
  const { learned } = info.thinking!
  return { info, module: await Module.open(info[kind]!, fetch), learned: learned ? await checked(learned, fetch) : new Uint8Array() }
}

export class Kernel {
  protected readonly info: GameInfo
  protected readonly module: Module
  protected readonly row: number
  protected readonly effort: number
  protected readonly learned: number
  protected readonly out: number

  protected constructor({ info, module, learned }: Opened) {
    this.info = info
    this.module = module
    this.row = module.room(info.row)
    this.effort = module.room(info.thinking!.weighing.length)
    this.learned = module.room(Math.ceil(learned.length / 8))
    this.out = module.room(2 * MOST_SEATS)
    module.bytes(this.learned, learned.length).set(learned)
  }

  /** The names of the answers that make up a candidate and are still to be given. */
  names(view: Row, seat: number, candidate: bigint): (number | string)[] {
    this.ask(view, 'answers', BigInt(seat), candidate, this.out)
    const { answers } = this.info.questions[Number(view[2])]!
    return members(this.module.numbers(this.out, 1)[0]!).map((answer) => answers[answer]!)
  }

  /** The margin in points as it stands. */
  protected worth(row: Row, seat: number): number {
    this.ask(row, 'worth', BigInt(seat), this.out)
    return this.module.measures(this.out, 1)[0]!
  }

  protected ask(row: Row, name: string, ...values: (number | bigint)[]): void {
    this.module.numbers(this.row, this.info.row).set(row)
    this.module.call(name, this.row, ...values)
  }

  protected tryHard(effort: number[]): void {
    this.module.measures(this.effort, effort.length).set(effort)
  }
}

/** The sum of numbers, one after the other. */
export const total = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)

/** The mean of independent values and its standard error. */
export function meanAndError(values: number[]): [mean: number, error: number] {
  const mean = total(values) / values.length
  const square = total(values.map((value) => (value - mean) * (value - mean)))
  return [mean, Math.sqrt(square / (values.length - 1)) / Math.sqrt(values.length)]
}
