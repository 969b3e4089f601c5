// Hints as messages: ids and values, as in `diamonds.bots.analysis.hints`.

export type MessageText = [id: string, values: Record<string, unknown>]

/** One answer that a hint lists, or those of a whole set; in numbers, as the server tells them (`diamonds.bots.analysis.hints.HintChoice`). */
export interface EvaluatedChoice {
  answers: (number | string)[]
  gain: number
  gain_error: number
  behind: number
  behind_error: number
  tied: boolean
  because: MessageText[]
}

/** The best answers to the open question, the best first, and how many worlds they were weighed in. */
export interface HintData {
  question: string
  unit: '%' | 'points'
  choices: EvaluatedChoice[]
  worlds: number
}

type AnswerNames = (number | string)[]

/** The meaning of a number as an answer, by question. */
const NUMBER_NAMES: Record<string, string> = { victim: 'seat', claim: 'pile', dig: 'pile', dig_first: 'pile', dig_second: 'pile', grow_pile: 'pile', fight: 'pile' }

const messageId = (...parts: (number | string)[]): string => parts.join('-').replaceAll('_', '-')

/** Return the message of an answer, or of a set of answers; `isKnown` is a predicate of existing message ids. */
export function answerText(question: string, answers: AnswerNames, cards: string[], isKnown: (id: string) => boolean): MessageText {
  const answer = answers[0]!
  const own = messageId('hint-answer', question)
  if (cards.includes(String(answer))) return isKnown(`${own}-card`) ? [`${own}-card`, { card: answer }] : ['hint-cards', { cards: answers }]
  if (typeof answer === 'number') return isKnown(own) ? [own, { [NUMBER_NAMES[question] ?? 'number']: answer }] : ['as-it-is', { text: answer }]
  const word = messageId(own, answer)
  return isKnown(word) ? [word, {}] : ['as-it-is', { text: answer }]
}

/** To so many digits, halves to the even one, as the server does. */
function roundHalfEven(value: number, digits: 0 | 1): number {
  const parts = digits ? 4 : 2 // halves that a number can be exactly
  const half = Number.isInteger(value * parts) && !Number.isInteger((value * parts) / 2)
  const low = Math.floor(value * 10 ** digits)
  return half ? (low + (low % 2 ? 1 : 0)) / 10 ** digits : Number(value.toFixed(digits))
}

/** One sentence: which answer is best and by how much, or which are equally good. `each` are the answers, as they are spoken. */
export function hintSummary({ choices, unit, worlds }: HintData, each: MessageText[]): MessageText {
  const [best, second] = each
  if (!worlds) return ['hint-nothing-to-choose', { answer: best }]
  const tied = each.filter((_, k) => choices[k]!.tied)
  if (tied.length) return ['hint-equally', { each: [best, ...tied] }]
  if (!second) return ['hint-best', { answer: best }]
  const { behind } = choices[1]!
  return unit === '%'
    ? ['hint-best-by-chance', { answer: best, second, percent: roundHalfEven(behind, 0) }]
    : ['hint-best-by-points', { answer: best, second, points: roundHalfEven(behind, 1) }]
}
