// Jobs that run in workers: bot answers, hints, and reviews task by task.
import { reasonAgainstRival, ReviewEngine, SearchEngine, Reasons, RulesModule, answersOf } from '../engine'
import type { HintData, WinChances, FetchFile, Header, JudgedDecision, Manifest, MessageText, ForecastTask, ReviewPlan, Row, ReviewTask } from '../engine'

/** A judged decision and, if marked, the other answers that a hint would call about as good. */
export type JudgedWithHint = JudgedDecision & { asGood: JudgedDecision['best'][] }

export interface JobHandlers {
  /** Return the number of a bot's answer; `level` is `simple` or the level of a search. */
  think(game: string, row: Row, seat: number, level: string, bits: bigint): Promise<number>
  hint(game: string, row: Row, seat: number): Promise<HintData>
  /** Return the tasks of the review of a finished game. */
  plan(game: string, header: Header, entries: readonly string[], seats: number[], seed: bigint): Promise<ReviewPlan>
  judge(game: string, task: ReviewTask): Promise<JudgedWithHint | null>
  forecast(game: string, moment: ForecastTask): Promise<WinChances>
}

/** A function that runs a job, here or in a worker. */
export type RunJob = <What extends keyof JobHandlers>(what: What, ...given: Parameters<JobHandlers[What]>) => ReturnType<JobHandlers[What]>

/** Return the job handlers, which load modules when first needed. */
export function jobHandlers(manifest: () => Promise<Manifest>, fetch: FetchFile): JobHandlers {
  const opened = new Map<string, Promise<unknown>>()
  function once<T>(name: string, open: () => Promise<T>): Promise<T> {
    let one = opened.get(name) as Promise<T> | undefined
    if (!one) {
      one = open()
      opened.set(name, one)
      one.catch(() => opened.delete(name)) // retry next time
    }
    return one
  }
  const known = (): Promise<Manifest> => once('', manifest)
  const rules = (game: string): Promise<RulesModule> => once(`rules ${game}`, async () => RulesModule.open(game, await known(), fetch))
  const searchEngine = (game: string): Promise<SearchEngine> => once(`search ${game}`, async () => SearchEngine.open((await known()).games[game]!, fetch))
  const reviewEngine = (game: string): Promise<ReviewEngine> => once(`judge ${game}`, async () => ReviewEngine.open((await known()).games[game]!, fetch))
  const reasons = (game: string): Promise<Reasons> => once(`reasons ${game}`, async () => Reasons.open((await known()).games[game]!, fetch))
  return {
    async think(game, row, seat, level, bits) {
      const engine = await searchEngine(game)
      return level === 'simple' ? engine.choose(row, seat) : engine.search(row, seat, level, bits).answer
    },
    async hint(game, row, seat) {
      const [one, why] = await Promise.all([searchEngine(game), reasons(game)])
      return one.hint(row, seat, undefined, why)
    },
    async plan(game, header, entries, seats, seed) {
      const [one, by] = await Promise.all([reviewEngine(game), rules(game)])
      const { steps, end } = answersOf(by, header, entries)
      return one.plan(by, steps, end, seats, seed)
    },
    async judge(game, task) {
      const [one, why] = await Promise.all([reviewEngine(game), reasons(game)])
      const judged = one.judge(task, why)
      if (!judged?.marked) return judged && { ...judged, asGood: [] }
      const hint = (await searchEngine(game)).hint(task.view, task.seat, undefined, why)
      const told = hint.choices.filter(({ tied }, k) => k === 0 || tied).map(({ answers }) => answers)
      if (told.some((answers) => String(answers) === String(judged.stands))) return { ...judged, marked: false, because: [], hindsight: null, asGood: [] } // not a mistake after all
      const first = hint.choices[0]!
      const isSame = String(first.answers) === String(judged.best)
      const isNamed = isSame || (!first.because.length && told.some((answers) => String(answers) === String(judged.best)))
      const isHeld = (reason: MessageText) => judged.holding.some((one) => JSON.stringify(one) === JSON.stringify(reason))
      // Reasons that the hint gives for the same answer, if they also hold compared with the given one.
      const preferred = isSame ? first.because.filter(isHeld) : []
      const contrast = judged.because.slice(judged.holding.length ? 1 : 0)
      const own = [...reasonAgainstRival(preferred.length ? preferred : judged.holding, judged.holding), ...contrast]
      const [best, because] = isNamed ? [judged.best, own] : [first.answers, first.because.slice(0, 1)]
      return { ...judged, best, because, asGood: told.filter((answers) => ![best, judged.given].some((one) => String(one) === String(answers))) }
    },
    forecast: async (game, moment) => (await reviewEngine(game)).forecast(await rules(game), moment),
  }
}
