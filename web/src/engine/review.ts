// Reviews of finished games (docs/review.md): cost of each decision, win chances, luck. With the same seed the numbers equal those of
// `diamonds.bots.analysis.review`. A review takes seconds, so it runs in workers, task by task.
import { seedBits } from './rng'
import { WasmKernel, MAX_SEATS, openKernel, sum, type OpenKernel } from './wasmKernel'
import type { FetchFile, GameManifest } from './manifest'
import { LocalGame, effectiveAnswers, type Header } from './game'
import { CONTRAST, FOR, type Reasons } from './reasons'
import type { Row, RulesModule } from './rules'
import { reasonAgainstRival, type MessageText } from './hintText'

/** An answer that was not undone: seat, number, whether a bot substituted, and the row before it. */
export interface EffectiveAnswer {
  row: Row
  seat: number
  answer: number
  by: boolean
}

export interface ReviewTask {
  n: number
  seat: number
  deal: number
  given: bigint
  /** The names of all legal answers. */
  legal: (number | string)[]
  view: Row
  truth: Row
  seed: bigint
}

export interface ForecastTask {
  n: number
  row: Row
  seed: bigint
}

/** The tasks of a review, and each seat's margin before the first deal and after each deal. */
export interface ReviewPlan {
  seats: number[]
  tasks: ReviewTask[]
  moments: ForecastTask[]
  margins: number[][]
}

type AnswerNames = (number | string)[]

/** A judged decision: the answer given, the best answer, and the difference; as on the server, without texts. */
export interface JudgedDecision {
  n: number
  seat: number
  deal: number
  question: string
  given: AnswerNames
  /** The answer that a hint names in place of the given one: the lowest of equivalent cards. */
  stands: AnswerNames
  best: AnswerNames
  /** The names of all legal answers. */
  legal: AnswerNames
  cost: number
  cost_error: number
  marked: boolean
  because: MessageText[]
  /** All reasons for the best answer compared with the given one, strongest first. */
  holding: MessageText[]
  hindsight: { best: AnswerNames; cost: number; cost_error: number } | null
  points: number
  value: number
  skill: number
  skill_error: number
}

export interface RoundBreakdown {
  start: number
  cards: number
  luck: number
  skill: number
  cost: number
  end: number
}

export interface ResultBreakdown {
  seat: number
  start: number
  cards: number
  luck: number
  skill: number
  skill_error: number
  cost: number
  result: number
  decisions: number
  marked: number
  rounds: RoundBreakdown[]
}

export interface WinChances {
  n: number
  chances: number[]
}

const [NO_CHOICE, MARKED] = [1, 3] // results of the module's judgement
const JUDGEMENT_VALUES = 8

export class ReviewEngine extends WasmKernel {
  private readonly truth: number
  private readonly params: number
  private readonly bits: number
  private readonly candidates: number
  private readonly values: number
  private readonly counts: number

  private constructor(opened: OpenKernel) {
    super(opened)
    const { module, info } = this
    this.truth = module.allocate(info.row)
    this.params = module.allocate(info.review!.looks.length)
    this.bits = module.allocate(info.review!.seeds.length)
    this.candidates = module.allocate(3)
    this.values = module.allocate(JUDGEMENT_VALUES)
    this.counts = module.allocate(2 * info.thinking!.columns)
  }

  static open = async (info: GameManifest, fetch: FetchFile): Promise<ReviewEngine> => new ReviewEngine(await openKernel(info, 'review', fetch))

  /** Return all decisions and moments to evaluate. The last row is the final one. */
  plan(rules: RulesModule, steps: EffectiveAnswer[], end: Row, seats: number[], seed: bigint): ReviewPlan {
    const rows = [...steps.map(({ row }) => row), end]
    const margins = (row: Row): number[] => Array.from({ length: rules.seats(row) }, (_, seat) => this.margin(rules, row, seat))
    const found: ReviewPlan = { seats, tasks: [], moments: [{ n: 0, row: rows[0]!, seed }], margins: [margins(rows[0]!)] }
    let namingSeats = new Set<number>() // seats that have named part of a set
    steps.forEach(({ row, seat, answer, by }, n) => {
      const [sets, clock] = this.moment(row)
      const starts = !sets || !namingSeats.has(seat)
      namingSeats = sets ? namingSeats.add(seat) : new Set()
      const legal = rules.legal(row, seat)
      if (seats.includes(seat) && !by && starts && legal.length > 1) {
        const { answers } = rules.info.questions[rules.question(row)]!
        const given = sets ? setOf(rules, steps, n) : BigInt(answer)
        found.tasks.push({ n, seat, deal: rules.deals(row), given, legal: legal.map((one) => answers[one]!), view: rules.view(row, seat, true), truth: row, seed: seed + BigInt(8 * n) })
      }
      const after = rows[n + 1]!
      const dealt = rules.deals(after) !== rules.deals(row) || rules.over(after)
      if (dealt || this.moment(after)[1] !== clock) found.moments.push({ n: n + 1, row: after, seed: seed + BigInt(8 * n + 5) })
      if (dealt) found.margins.push(margins(after))
    })
    return found
  }

  /** Judge one decision, with reasons if their module is given; `null` if all answers are equivalent. */
  judge({ n, seat, deal, given, legal, view, truth, seed }: ReviewTask, why: Reasons | null = null): JudgedDecision | null {
    const { module, info } = this
    const { looks, seeds } = info.review!
    module.numbers(this.truth, info.row).set(truth)
    module.floats(this.params, looks.length).set(looks)
    module.numbers(this.bits, seeds.length).set(seeds.map((look) => BigInt.asIntN(64, seedBits(seed + BigInt(look)))))
    this.setSearchParams(info.thinking!.weighing)
    this.call(
      view, 'judge', this.truth, BigInt(seat), given, this.searchParams, this.params, this.learned, this.bits, this.candidates, this.values,
      this.counts, this.out,
    )
    const outcome = Number(module.numbers(this.out, 1)[0])
    if (outcome === 0) throw new RangeError('view') // no world fits the view, or the answer is not among its candidates
    if (outcome === NO_CHOICE) return null
    const [best, stands, hindsight] = [...module.numbers(this.candidates, 3)]
    const [cost, cost_error, points, value, skill, skill_error, regret, regret_error] = [...module.floats(this.values, JUDGEMENT_VALUES)] as number[]
    const marked = outcome === MARKED
    const { columns } = info.thinking!
    const counted = (k: number): Float64Array => module.floats(this.counts + 8 * columns * k, columns).slice()
    const named = (candidate: bigint): AnswerNames => this.answerNames(view, seat, candidate)
    const reasons = (side: bigint): MessageText[] => (marked && why?.list(view, seat, best!, counted(0), given, counted(1), side)) || []
    const holding = reasons(FOR)
    return {
      n, seat, deal, question: info.questions[Number(view[2])]!.name, given: named(given), stands: named(stands!), best: named(best!), legal, cost: cost!, cost_error: cost_error!, marked,
      because: [...reasonAgainstRival(holding, holding), ...reasons(CONTRAST).slice(0, 1)], holding,
      hindsight: marked ? { best: named(hindsight!), cost: regret!, cost_error: regret_error! } : null,
      points: points!, value: value! + (this.byChance ? 50 : 0), skill: skill!, skill_error: skill_error!,
    }
  }

  /** Forecast each seat's chance to win. */
  forecast(rules: RulesModule, { n, row, seed }: ForecastTask): WinChances {
    const { forecasts, slips } = this.info.review!
    this.call(row, 'forecast', rules.over(row) ? 1n : BigInt(forecasts), BigInt(slips), BigInt.asIntN(64, seedBits(seed)), this.out)
    return { n, chances: [...this.module.floats(this.out, MAX_SEATS)].slice(0, rules.seats(row)) }
  }

  private get byChance(): boolean {
    return this.info.thinking!.unit === '%'
  }

  /** Return whether the open question names part of a set, and the number of completed tricks or turns. */
  private moment(row: Row): [sets: boolean, clock: bigint] {
    this.call(row, 'moment', this.out)
    const [sets, clock] = [...this.module.numbers(this.out, 2)]
    return [sets !== 0n, clock!]
  }

  /** Return a seat's margin over the mean of its rivals or, in games measured by chances, its chance to win, which is 50 % until the game is over. */
  private margin(rules: RulesModule, row: Row, seat: number): number {
    if (!this.byChance) return this.worth(row, seat)
    if (!rules.over(row)) return 50
    const { winners } = rules.result(row)
    return winners.includes(seat) ? 100 / winners.length : 0
  }
}

/** Return the answers of a game that were not undone, each with the row before it, and the final row. */
export function answersOf(rules: RulesModule, header: Header, entries: readonly string[]): { steps: EffectiveAnswer[]; end: Row } {
  const game = new LocalGame(rules, header, '')
  const steps = effectiveAnswers(entries, entries.length).map((place): EffectiveAnswer => {
    const [seat, question, answer, by] = entries[place]!.split(' ')
    const row = game.state.slice()
    game.answer(Number(seat), question!, answer!)
    const { answers } = rules.info.questions[rules.question(row)]!
    return { row, seat: Number(seat), answer: answers.findIndex((name) => String(name) === answer), by: by !== undefined }
  })
  return { steps, end: game.state.slice() }
}

/** Return all cards of the set that begins with answer `n`. */
function setOf(rules: RulesModule, steps: EffectiveAnswer[], n: number): bigint {
  const { seat, row } = steps[n]!
  let cards = 0n
  for (const step of steps.slice(n)) {
    if (rules.question(step.row) !== rules.question(row)) break
    if (step.seat === seat) cards |= 1n << BigInt(step.answer)
  }
  return cards
}

/** Return how each seat reached its result, for each round and in total: `end = start + cards + luck + skill`. */
export function resultBreakdowns({ seats, margins }: ReviewPlan, decisions: JudgedDecision[]): ResultBreakdown[] {
  return seats.map((seat) => {
    const all = decisions.filter((decision) => decision.seat === seat)
    const rounds = margins.slice(1).map((after, k): RoundBreakdown => {
      const [start, end] = [margins[k]![seat]!, after[seat]!]
      const own = all.filter(({ deal }) => deal === k + 1)
      const skill = sum(own.map((one) => one.skill))
      const cards = own.length ? own[0]!.value - start : 0
      return { start, cards, luck: end - start - cards - skill, skill, cost: sum(own.map((one) => one.points)), end }
    })
    const sumOf = (part: keyof RoundBreakdown): number => sum(rounds.map((one) => one[part]))
    return {
      seat, start: margins[0]![seat]!, cards: sumOf('cards'), luck: sumOf('luck'), skill: sumOf('skill'),
      skill_error: Math.sqrt(sum(all.map((one) => one.skill_error * one.skill_error))), cost: sumOf('cost'), result: margins.at(-1)![seat]!,
      decisions: all.length, marked: all.filter(({ marked }) => marked).length, rounds,
    }
  })
}
