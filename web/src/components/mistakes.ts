// Your costly decisions, stored in this browser after each review and practised as puzzles until they are solved.
import type { JudgedDecisionInfo, MessageRef, ReplayResponse, ReviewResponse } from '../client/types'
import type { View } from './boardScene'
import { viewFrom } from './redactView'
import { loadSetting, saveSetting } from './settings.svelte'

/** A decision, and what the review says about it. Days are days since 1970. */
export interface Mistake {
  id: string
  game: string
  seat: number
  view: View
  question: string
  legal: (number | string)[]
  given: number | string
  /** The best answer, then those about as good. */
  best: (number | string)[]
  cost: number
  cost_error: number
  unit: ReviewResponse['unit']
  worlds: number
  reasons: MessageRef[]
  /** The day on which the mistake is due again, and the number of consecutive correct answers. */
  due: number
  solved: number
}

interface StoredMistakes {
  /** Tables whose mistakes were stored, newest last. */
  tables: string[]
  mistakes: Mistake[]
}

const MAX_MISTAKES = 200
const MAX_TABLES = 300
const DAY_MS = 86_400_000
/** Days until a mistake is due again: after a wrong answer, and after the first and second consecutive correct answers. */
const DAYS = [1, 3, 7]

export const today = (): number => Math.floor((Date.now() - new Date().getTimezoneOffset() * 60_000) / DAY_MS)

const stored = (): StoredMistakes => ({ tables: [], mistakes: [], ...loadSetting<Partial<StoredMistakes>>('mistakes', {}) })

/** Return all mistakes, due ones first. */
export const mistakes = (): Mistake[] => stored().mistakes.sort((a, b) => a.due - b.due)

/** Return whether a decision can be a puzzle: a single answer, not a set of cards. */
const canBeAsked = ({ marked, answers, best_answers, legal }: JudgedDecisionInfo): boolean => marked && answers.length === 1 && best_answers.length === 1 && legal.length > 1

/** Store the mistakes of one seat in a reviewed game, once per table. */
export function keepMistakes(table: string, seat: number, replay: ReplayResponse, review: ReviewResponse): void {
  const { tables, mistakes } = stored()
  if (tables.includes(table)) return
  const found = review.decisions.filter((one) => one.seat === seat && canBeAsked(one)).map((one): Mistake => ({
    id: `${table} ${one.n}`,
    game: replay.table.game,
    seat,
    view: viewFrom(replay.steps[one.n]!.view as View, seat),
    question: one.question,
    legal: one.legal,
    given: one.answers[0]!,
    best: [one.best_answers[0]!, ...one.as_good_answers.flat()],
    cost: one.cost,
    cost_error: one.cost_error,
    unit: review.unit,
    worlds: review.worlds,
    reasons: one.reasons,
    due: today(),
    solved: 0,
  }))
  saveSetting('mistakes', { tables: [...tables, table].slice(-MAX_TABLES), mistakes: [...mistakes, ...found].slice(-MAX_MISTAKES) })
}

/** Record an attempt at a mistake. Return the days until it is due again, or 0 if it was solved often enough and dropped. */
export function recordPractice(id: string, right: boolean): number {
  const { tables, mistakes } = stored()
  const one = mistakes.find((each) => each.id === id)
  if (!one) return 0
  one.solved = right ? one.solved + 1 : 0
  const days = DAYS[one.solved] ?? 0
  one.due = today() + days
  saveSetting('mistakes', { tables, mistakes: days ? mistakes : mistakes.filter((each) => each !== one) })
  return days
}
