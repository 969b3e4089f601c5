// Hints and reviews for local tables, with the messages of the server (`server/tables/analysis.py`).
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { resultBreakdowns, EngineError, answerText, hintSummary, type WinChances, type GameManifest, type JudgedDecision, type MessageText } from '../engine'
import type { HintResponse, MessageRef, PendingResponse, ReviewResponse } from '../client/types'
import type { JudgedWithHint, RunJob } from './jobs'
import type { LocalTable } from './localTable'

export interface AnalysisDependencies {
  /** Run the job of a hint. */
  runJob: RunJob
  /** Start the workers of a review; `end` stops them. */
  reviewers(): { runners: RunJob[]; end: () => void }
  /** Return whether a message id exists. */
  hasMessage(id: string): boolean
}

interface ReviewJob {
  done: number
  total: number
  review: ReviewResponse | null
  failed: unknown
}

/** Return a seed derived from a text, so that repeated requests give the same result. */
const seedFrom = (text: string, bytes: number): bigint => sha256(utf8ToBytes(text)).slice(0, bytes).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)

export class LocalAnalysis {
  readonly #jobs = new Map<string, ReviewJob>()

  constructor(private readonly needs: AnalysisDependencies) {}

  /** Return a hint for the player's open question. */
  async hint(table: LocalTable): Promise<HintResponse> {
    const { seat, stored: kept } = table
    if (!table.toAct.includes(seat)) throw new EngineError('hint-not-your-turn')
    const n = table.openSince
    const advice = await this.needs.runJob('hint', kept.game, table.rules.view(table.state, seat, true), seat)
    const says = advice.choices.map(({ answers }) => this.#answerText(table.rules.info, advice.question, answers))
    const choices = advice.choices.map(({ behind, behind_error, because, ...choice }, k) => ({ ...choice, text: says[k] as MessageRef, gap: behind, gap_error: behind_error, reasons: because as MessageRef[] }))
    return { n, seat, ...advice, choices, text: hintSummary(advice, says) as MessageRef }
  }

  /** Return the review of a finished game, or its progress. */
  review(table: LocalTable): ReviewResponse | PendingResponse {
    if (!table.over) throw new EngineError('hint-review-not-over')
    const { id } = table.stored
    let job = this.#jobs.get(id)
    if (!job) {
      job = { done: 0, total: 0, review: null, failed: null }
      this.#jobs.set(id, job)
      const started = job
      this.#run(table, job).catch((error: unknown) => (started.failed = error))
    }
    if (job.failed) {
      this.#jobs.delete(id) // a repeated request starts again
      throw job.failed
    }
    return job.review ?? { done: job.done, total: job.total, ready: true }
  }

  async #run(table: LocalTable, job: ReviewJob): Promise<void> {
    const { game, secret } = table.stored
    const { runners: asks, end } = this.needs.reviewers()
    try {
      const plan = await asks[0]!('plan', game, table.header, table.lines, [table.seat], seedFrom(`review ${secret} ${table.lines.join(' ')}`, 6))
      job.total = plan.tasks.length + plan.moments.length
      const judged: (JudgedWithHint | null)[] = []
      const chances: WinChances[] = []
      let next = 0
      const work = async (ask: RunJob): Promise<void> => {
        for (let k = next++; k < job.total; k = next++) {
          const place = k - plan.tasks.length
          if (place < 0) judged[k] = await ask('judge', game, plan.tasks[k]!)
          else chances[place] = await ask('forecast', game, plan.moments[place]!)
          job.done++
        }
      }
      await Promise.all(asks.map(work))
      const found = judged.filter((one) => one !== null)
      job.review = this.#message(table.rules.info, found, resultBreakdowns(plan, found), chances)
    } finally {
      end()
    }
  }

  #message(info: GameManifest, judged: JudgedWithHint[], accounts: ReviewResponse['results'], chances: WinChances[]): ReviewResponse {
    const { unit } = info.thinking!
    const { material, looks } = info.review!
    const decisions = judged.map(({ given, stands: _, holding: _holding, best, asGood, hindsight, because, ...one }) => {
      const said = (answers: JudgedDecision['given']): MessageRef => this.#answerText(info, one.question, answers) as MessageRef
      const { cost, cost_error } = hindsight ?? {}
      return {
        ...one, answers: given, best_answers: best, as_good_answers: asGood, text: said(given), best: said(best), reasons: because as MessageRef[],
        hindsight: hindsight && { text: said(hindsight.best), cost: cost!, cost_error: cost_error! },
      }
    })
    const rounded = chances.map(({ n, chances }) => ({ n, chances: chances.map((chance) => Number(chance.toFixed(4))) }))
    return { unit, material_difference: material, worlds: looks[1]!, decisions, results: accounts, chances: rounded }
  }

  #answerText = (info: GameManifest, question: string, answers: JudgedDecision['given']): MessageText => answerText(question, answers, info.cards, (id) => this.needs.hasMessage(id))
}
