// The decisions of two games with the same cards, side by side.
import type { JudgedDecisionInfo, ReplayResponse, ReviewResponse } from '../client/types'

/** A decision of one player: `n` is the number of answers before it, and `answers` has several cards if they were chosen as a set. */
export interface Decision {
  n: number
  deal: number
  question: string
  answers: string[]
  /** The review's judgement; `null` if there was no real choice, or while the review is unfinished. */
  judged: JudgedDecisionInfo | null
}

/** The same question in both games; `null` if only one player was asked. */
export interface DecisionPair {
  deal: number
  sides: [Decision | null, Decision | null]
  /** True if both players chose the same. */
  isEqual: boolean
}

/** A finished game that is compared. */
export interface ComparedGame {
  /** The id of its table. */
  id: string
  /** The player's name. */
  name: string
  isMine: boolean
  undos: number
}

type Steps = ReplayResponse['steps']

/** Return the number of answers, by all seats, at the beginning that both games share. */
export function commonLength(one: Steps, other: Steps): number {
  let n = 0
  while (one[n + 1] && one[n + 1]!.answer === other[n + 1]?.answer) n++
  return n
}

/** Return the decisions of a seat, in order. `isSet` tells whether a question's answers form a set. */
export function decisionsOf(steps: Steps, seat: number, isSet: (question: string) => boolean, review: ReviewResponse | null): Decision[] {
  const found: Decision[] = []
  const judged = new Map(review?.decisions.filter((one) => one.seat === seat).map((one) => [one.n, one]))
  steps.slice(1).forEach(({ answer }, n) => {
    const [by, question, given] = answer!.split(' ') as [string, string, string]
    if (Number(by) !== seat) return
    const deal = Number(steps[n]!.view['deals'])
    const last = found.at(-1)
    if (last && isSet(question) && last.question === question && last.deal === deal) last.answers.push(given)
    else found.push({ n, deal, question, answers: [given], judged: judged.get(n) ?? null })
  })
  return found
}

/**
 * Pair the decisions of two games: the k-th answer to a question in a deal with the k-th answer to it in the same deal
 * of the other game. The pairs are in order of play; a decision without a partner follows the previous one in its own
 * game.
 */
export function pairDecisions(one: Decision[], other: Decision[]): DecisionPair[] {
  const keysOf = (decisions: Decision[]): Map<string, Decision> => {
    const counts = new Map<string, number>()
    return new Map(decisions.map((decision) => {
      const kind = `${decision.deal} ${decision.question}`
      const k = counts.get(kind) ?? 0
      counts.set(kind, k + 1)
      return [`${kind} ${k}`, decision]
    }))
  }
  const [left, right] = [keysOf(one), keysOf(other)]
  const rights = [...right.keys()]
  const order: string[] = []
  let next = 0
  for (const key of left.keys()) {
    const at = rights.indexOf(key, next)
    if (at >= 0) {
      order.push(...rights.slice(next, at).filter((only) => !left.has(only)))
      next = at + 1
    }
    order.push(key)
  }
  order.push(...rights.slice(next))
  return [...new Set(order)]
    .map((key): DecisionPair => {
      const sides: DecisionPair['sides'] = [left.get(key) ?? null, right.get(key) ?? null]
      return { deal: (sides[0] ?? sides[1])!.deal, sides, isEqual: sides[0]?.answers.join() === sides[1]?.answers.join() }
    })
    .sort((a, b) => a.deal - b.deal)
}
