// Hints at tables of one's own and reviews after them, with the messages of a house (`server/work/advisers.py`).
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { accounts, Refused, spoken, verdict, type Chances, type GameInfo, type Judged, type Says } from '../engine'
import type { Hint, Review, Says as Told, Underway } from '../client/types'
import type { Ask } from './jobs'
import type { OwnTable } from './localTable'

export interface Needs {
  /** For hints. */
  ask: Ask
  /** Those who look at a finished game side by side; how they are let go. */
  reviewers(): { asks: Ask[]; end: () => void }
  /** Whether there are words for an id. */
  known(id: string): boolean
}

interface Job {
  done: number
  total: number
  review: Review | null
  failed: unknown
}

/** The same whenever it is asked for: so many bytes that follow from a text. */
const seedOf = (text: string, bytes: number): bigint => sha256(utf8ToBytes(text)).slice(0, bytes).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)

export class Advisers {
  readonly #jobs = new Map<string, Job>()

  constructor(private readonly needs: Needs) {}

  /** A hint to the open question of the person. */
  async hint(table: OwnTable): Promise<Hint> {
    const { seat, kept } = table
    if (!table.toAct.includes(seat)) throw new Refused('hint-not-your-turn')
    const n = table.openSince
    const advice = await this.needs.ask('hint', kept.game, table.seen(seat), seat, seedOf(`hint ${kept.id} ${n} ${seat}`, 7))
    const says = advice.choices.map(({ answers }) => this.#said(table.rules.info, advice.question, answers))
    const choices = advice.choices.map((choice, k) => ({ ...choice, says: says[k] as Told, because: choice.because as Told[] }))
    return { n, seat, ...advice, choices, says: verdict(advice, says) as Told }
  }

  /** A review of a finished game, or how far it is. */
  review(table: OwnTable): Review | Underway {
    if (!table.over) throw new Refused('hint-review-not-over')
    const { id } = table.kept
    let job = this.#jobs.get(id)
    if (!job) {
      job = { done: 0, total: 0, review: null, failed: null }
      this.#jobs.set(id, job)
      const begun = job
      this.#make(table, job).catch((error: unknown) => (begun.failed = error))
    }
    if (job.failed) {
      this.#jobs.delete(id) // whoever asks again begins anew
      throw job.failed
    }
    return job.review ?? { done: job.done, total: job.total, ready: true }
  }

  async #make(table: OwnTable, job: Job): Promise<void> {
    const { game, secret } = table.kept
    const { asks, end } = this.needs.reviewers()
    try {
      const plan = await asks[0]!('plan', game, table.header, table.lines, [table.seat], seedOf(`review ${secret} ${table.lines.join(' ')}`, 6))
      job.total = plan.tasks.length + plan.moments.length
      const judged: (Judged | null)[] = []
      const chances: Chances[] = []
      let next = 0
      const work = async (ask: Ask): Promise<void> => {
        for (let k = next++; k < job.total; k = next++) {
          const place = k - plan.tasks.length
          if (place < 0) judged[k] = await ask('judge', game, plan.tasks[k]!)
          else chances[place] = await ask('forecast', game, plan.moments[place]!)
          job.done++
        }
      }
      await Promise.all(asks.map(work))
      const found = judged.filter((one) => one !== null)
      job.review = this.#message(table.rules.info, found, accounts(plan, found), chances)
    } finally {
      end()
    }
  }

  #message(info: GameInfo, judged: Judged[], accounts: Review['accounts'], chances: Chances[]): Review {
    const { unit } = info.thinking!
    const { material, looks } = info.review!
    const decisions = judged.map(({ given, best, hindsight, because, ...one }) => {
      const said = (answers: Judged['given']): Told => this.#said(info, one.question, answers) as Told
      const { cost, cost_error } = hindsight ?? {}
      return {
        ...one, says: said(given), best: said(best), because: because as Told[],
        hindsight: hindsight && { says: said(hindsight.best), cost: cost!, cost_error: cost_error! },
      }
    })
    const rounded = chances.map(({ n, chances }) => ({ n, chances: chances.map((chance) => Number(chance.toFixed(4))) }))
    return { unit, material, worlds: looks[1]!, decisions, accounts, chances: rounded }
  }

  #said = (info: GameInfo, question: string, answers: Judged['given']): Says => spoken(question, answers, info.cards, (id) => this.needs.known(id))
}
