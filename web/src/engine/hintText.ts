// Advice as people are told it: ids of sentences and their values, as `diamonds.bots.advising.hints` has them.

export type Says = [id: string, values: Record<string, unknown>]

/** One answer that a hint lists, or those of a whole set; in numbers, as the house tells them (`diamonds.bots.advising.hints.Choice`). */
export interface Weighed {
  answers: (number | string)[]
  gain: number
  gain_error: number
  behind: number
  behind_error: number
  tied: boolean
  because: Says[]
}

/** The best answers to the open question, the best first, and how many worlds they were weighed in. */
export interface Advice {
  question: string
  unit: '%' | 'points'
  choices: Weighed[]
  worlds: number
}

type Names = (number | string)[]

const named = (...parts: (number | string)[]): string => parts.join('-').replaceAll('_', '-')

/** An answer, or those of a set; `known` tells for which ids there are words. */
export function spoken(question: string, answers: Names, cards: string[], known: (id: string) => boolean): Says {
  const answer = answers[0]!
  const own = named('hint-answer', question)
  if (cards.includes(String(answer))) return known(`${own}-card`) ? [`${own}-card`, { card: answer }] : ['hint-cards', { cards: answers }]
  if (question === 'victim') return ['hint-answer-victim', { seat: answer }]
  if (typeof answer === 'number') return known(own) ? [own, { number: answer }] : ['as-it-is', { text: answer }]
  const word = named(own, answer)
  return known(word) ? [word, {}] : ['as-it-is', { text: answer }]
}

/** To so many digits, halves to the even one, as the house does. */
function rounded(value: number, digits: 0 | 1): number {
  const parts = digits ? 4 : 2 // halves that a number can be exactly
  const half = Number.isInteger(value * parts) && !Number.isInteger((value * parts) / 2)
  const low = Math.floor(value * 10 ** digits)
  return half ? (low + (low % 2 ? 1 : 0)) / 10 ** digits : Number(value.toFixed(digits))
}

/** One sentence: which answer is best and by how much, or which are equally good. `each` are the answers, as they are spoken. */
export function verdict({ choices, unit, worlds }: Advice, each: Says[]): Says {
  const [best, second] = each
  if (!worlds) return ['hint-nothing-to-choose', { answer: best }]
  const tied = each.filter((_, k) => choices[k]!.tied)
  if (tied.length) return ['hint-equally', { each: [best, ...tied] }]
  if (!second) return ['hint-best', { answer: best }]
  const { behind } = choices[1]!
  return unit === '%'
    ? ['hint-best-by-chance', { answer: best, second, percent: rounded(behind, 0) }]
    : ['hint-best-by-points', { answer: best, second, points: rounded(behind, 1) }]
}
