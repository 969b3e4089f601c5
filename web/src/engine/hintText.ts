// Hints as messages (id and arguments), as in `diamonds.bots.analysis.hints`.

export type MessageText = [id: string, values: Record<string, unknown>]

/** One answer in a hint, or the answers of a set, with their values, as in `diamonds.bots.analysis.hints.HintChoice`. */
export interface EvaluatedChoice {
  answers: (number | string)[]
  gain: number
  gain_error: number
  behind: number
  behind_error: number
  tied: boolean
  because: MessageText[]
}

/** The best answers to the open question, best first, and the number of worlds evaluated. */
export interface HintData {
  question: string
  unit: '%' | 'points'
  choices: EvaluatedChoice[]
  worlds: number
}

type AnswerNames = (number | string)[]

/** Meanings of numeric answers, by question. */
const NUMBER_NAMES: Record<string, string> = { victim: 'seat', claim: 'pile', dig: 'pile', dig_first: 'pile', dig_second: 'pile', grow_pile: 'pile', fight: 'pile' }

const messageId = (...parts: (number | string)[]): string => parts.join('-').replaceAll('_', '-')

/** Return the message of an answer, or of a set of answers; `isKnown` returns whether a message id exists. */
export function answerText(question: string, answers: AnswerNames, cards: string[], isKnown: (id: string) => boolean): MessageText {
  const answer = answers[0]!
  const own = messageId('hint-answer', question)
  if (cards.includes(String(answer))) return isKnown(`${own}-card`) ? [`${own}-card`, { card: answer }] : ['hint-cards', { cards: answers }]
  if (typeof answer === 'number') return isKnown(own) ? [own, { [NUMBER_NAMES[question] ?? 'number']: answer }] : ['as-it-is', { text: answer }]
  const word = messageId(own, answer)
  return isKnown(word) ? [word, {}] : ['as-it-is', { text: answer }]
}

/** Round half to even, like the server. */
function roundHalfEven(value: number, digits: 0 | 1): number {
  const parts = digits ? 4 : 2 // fractions at which ties can occur
  const half = Number.isInteger(value * parts) && !Number.isInteger((value * parts) / 2)
  const low = Math.floor(value * 10 ** digits)
  return half ? (low + (low % 2 ? 1 : 0)) / 10 ** digits : Number(value.toFixed(digits))
}

/** Return the summary: the best answer and its lead, or the answers that are about equal. `each` has the texts of the answers. */
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

/** Reasons that hold for every card but the one they name. */
const SAVING_REASONS = ['hint-saves', 'hint-saves-highest', 'hint-saves-higher', 'hint-saves-to-throw', 'hint-most-by-saving']

/** General reasons, given only when every specific one also holds for too many worse cards. */
const GENERAL_REASONS = ['hint-more-later', 'hint-more-likely-wins']

/** Reasons that a card contradicts which is about as good, as in Python: a ♦, a high one, one of the suit, a higher one of it, the card itself, or any. */
const CONTRADICTED_BY_DIAMOND = ['hint-gives-no-diamond', 'hint-gives-player-no-diamond', 'hint-saves-good-for-diamonds', 'hint-keeps-diamonds', 'hint-saves-beaten-diamonds', 'hint-saves-highest-diamond']
const CONTRADICTED_BY_HIGH = ['hint-saves-good-for-diamonds', 'hint-saves-high-for-diamonds', 'hint-saves-high', 'hint-little-to-win-high', 'hint-nothing-to-win-high', 'hint-no-diamond-yet-high', 'hint-passes-low']
const CONTRADICTED_BY_SUIT = ['hint-saves-suit-for-diamonds', 'hint-gives-for-suit']
const CONTRADICTED_BY_HIGHER = ['hint-saves-higher-for-diamonds', 'hint-keeps-higher', 'hint-most-passing']
const CONTRADICTED_BY_CARD = ['hint-saves']
const CONTRADICTED_BY_ANY = [...GENERAL_REASONS, 'hint-higher-than', 'hint-fewer-higher', 'hint-last-trick']
/** Reasons that repeat what the card does at once, and those that a rival wins this trick less often, as in Python. */
const DIRECT = /^hint-((likely-)?wins(-action|-diamonds)?|turns-suit|keeps-suit|\w+-at-once|highest-left)$/
const WINS_MORE_OFTEN = /^hint-((likely-)?wins(-action|-diamonds|-more)?|more-likely-wins|highest-left|ahead-of|higher-than|fewer-higher)$/
/** Reasons that speak of a suit that a set of cards empties, or nearly. */
const ABOUT_VOIDS = ['hint-void', 'hint-void-two', 'hint-nearly-void']
/** Reasons that name nothing that a player can see. */
export const UNEXPLAINED = ['hint-free-alike', 'hint-tried']
const HIGH_RANKS = 5
const MAX_SHARED = 2 // a hint names at most this many other choices with the same reason
export const CLEAR_LEAD = 1 // lead in points that makes the best answer clearly better

/** Return whether a reason for the best card or set does not hold for an equal one, as `is_contradicted` in Python. */
export function isContradicted([id, { suit, card: saved }]: MessageText, best: string[], equal: string[], cards: string[]): boolean {
  const ranks = cards.length / 4
  const top = Math.max(-1, ...best.filter((card) => card[0] === suit).map((card) => cards.indexOf(card)))
  return best.length > 0 && equal.some((card) =>
    CONTRADICTED_BY_ANY.includes(id) ||
    (CONTRADICTED_BY_DIAMOND.includes(id) && card.startsWith('D')) ||
    (CONTRADICTED_BY_HIGH.includes(id) && cards.indexOf(card) % ranks >= ranks - HIGH_RANKS) ||
    (CONTRADICTED_BY_SUIT.includes(id) && card[0] === suit) ||
    (CONTRADICTED_BY_HIGHER.includes(id) && card[0] === suit && cards.indexOf(card) > top) ||
    (CONTRADICTED_BY_CARD.includes(id) && card === saved))
}

/** Return why the best set of cards empties no suit, as `why_no_suit_goes` in Python; `suits` are the cards in hand by suit. */
export function whyNoSuitGoes(suits: bigint[], best: bigint, ranks: number, told: MessageText[]): MessageText[] {
  if (!told.length || told.some(([id]) => ABOUT_VOIDS.includes(id)) || !suits.every((suit) => suit & ~best)) return []
  const count = (cards: bigint) => cards.toString(2).replaceAll('0', '').length
  const short = suits.filter((suit) => count(suit) <= count(best))
  const others = short.filter((suit) => suit !== suits[0])
  if (!others.length) return [['hint-not-emptied', { short: short.length }]]
  const areKept = others.map((suit) => suit.toString(2).length - 1).every((top) => top % ranks >= ranks - HIGH_RANKS && !((best >> BigInt(top)) & 1n))
  return areKept && !told.some(([id]) => id.startsWith('hint-no-trick')) ? [['hint-not-emptied', { short: 2 }]] : []
}

/** Return whether a reason is a general one. */
export const isGeneral = ([id]: MessageText): boolean => GENERAL_REASONS.includes(id)

const has = (list: MessageText[], reason: MessageText) => list.some((one) => JSON.stringify(one) === JSON.stringify(reason))

/** Return up to two reasons for the best set of cards, like `reasons_for_set` in Python. */
export function reasonsForSet(best: number, worse: number[], equal: number[], reasons: (k: number, rival: number) => MessageText[], gap: (k: number) => number): MessageText[] {
  const holds = (reason: MessageText, other: number) =>
    !has(reasons(best, other), reason) || (!SAVING_REASONS.includes(reason[0]) && worse.some((rival) => rival !== other && has(reasons(other, rival), reason)))
  const isSame = ([id, args]: MessageText, [other, others]: MessageText) => id === other || (args.suit !== undefined && args.suit === others.suit)
  const reasonsAgainst = (rivals: number[]) => rivals.flatMap((rival) => reasons(best, rival)).map((reason) => ({ reason, left: worse.filter((other) => holds(reason, other)) }))
  const compared = reasonsAgainst(worse)
  const listed = compared.length ? compared : reasonsAgainst(equal).map(({ reason }) => ({ reason, left: [] as number[] }))
  const isNarrow = ({ reason: [, args] }: (typeof listed)[0]) => Number('suit' in args || 'card' in args)
  const [first] = [...listed].sort((a, b) => a.left.length - b.left.length || isNarrow(a) - isNarrow(b))
  if (!first) return equal.length ? [] : [['hint-scores-most', { clear: Number(Math.min(...worse.map(gap)) >= CLEAR_LEAD) }]]
  const remaining = ({ left }: typeof first) => left.filter((one) => first.left.includes(one)).length
  const isSaving = ({ reason: [id] }: typeof first) => Number(SAVING_REASONS.includes(id))
  const [second] = listed.filter(({ reason }) => !isSame(reason, first.reason)).sort((a, b) => remaining(a) - remaining(b) || isSaving(a) - isSaving(b))
  return [first, ...(second ? [second] : [])].map(({ reason }) => reason)
}

/** Return reasons for the best of the candidates that together hold for no clearly worse one, like `reasons_for_best` in Python. */
export function reasonsForBest(best: number, rivals: number[], worse: number[], reasons: (k: number, rival: number) => MessageText[], unit: HintData['unit'], cardsOf: (k: number) => AnswerNames, gap: (k: number) => number, obvious: number, hasEquals: boolean): MessageText[] {
  const isShared = (reason: MessageText, other: number) =>
    SAVING_REASONS.includes(reason[0]) ? !cardsOf(other).includes(String(reason[1].card)) : worse.some((rival) => rival !== other && has(reasons(other, rival), reason))
  const holds = (reason: MessageText, other: number) => (unit === 'points' && !has(reasons(best, other), reason)) || (!isGeneral(reason) && isShared(reason, other))
  const clear = (others: number[]) => Number(Math.min(...others.map(gap)) >= CLEAR_LEAD)
  const withOthers = (reason: MessageText, others: number[]): MessageText[] => {
    const either = others.map(cardsOf).filter(({ length }) => length).map((cards): MessageText => ['hint-cards', { cards }])
    return [reason, either.length && others.length <= MAX_SHARED ? ['hint-shared-by', { either, clear: clear(others) }] : ['hint-shared', { clear: clear(others) }]]
  }
  const listed = rivals.flatMap((rival) => reasons(best, rival)).map((reason): [MessageText, number[]] => [reason, worse.filter((other) => holds(reason, other))])
  const specific = listed.filter(([reason]) => !isGeneral(reason))
  const alone = specific.find(([, others]) => !others.length)
  if (alone) return [alone[0]]
  for (const [first, others] of specific) {
    const isSame = ([id, args]: MessageText) => id === first[0] || (Object.keys(args).length > 0 && JSON.stringify(args) === JSON.stringify(first[1])) // such as “saves your ♠” and “lets your ♠ …”
    const second = specific.find(([reason, left]) => !isSame(reason) && !left.some((k) => others.includes(k)))
    if (second) return [first, second[0]]
  }
  const heaviest = listed.slice(0, 1).map(([reason]) => reason)
  if (unit === '%') return heaviest
  if (hasEquals) {
    const against = specific.filter(([reason]) => worse.includes(obvious) && has(reasons(best, obvious), reason))
    const most = specific.filter(([, others]) => 2 * others.length <= worse.length)
    return (against.length ? against : most).sort((a, b) => a[1].length - b[1].length).slice(0, 1).map(([reason]) => reason)
  }
  const named = specific.filter(([[id]]) => id !== 'hint-saves-higher') // left out, because a third card may be higher still
  const [alike] = named.filter(([reason, others]) => others.every((other) => isShared(reason, other))).sort((a, b) => a[1].length - b[1].length)
  const general = listed.find(([, others]) => !others.length)
  if (general && !(alike && alike[1].length <= MAX_SHARED)) return [general[0]]
  if (alike) return withOthers(...alike)
  return [...heaviest, ...(worse.length ? [['hint-scores-most', { clear: clear(worse) }] as MessageText] : [])]
}

const explainsMore = (reason: MessageText) => !DIRECT.test(reason[0]) && !isGeneral(reason)
const saysWinMoreOften = ([id]: MessageText) => WINS_MORE_OFTEN.test(id)

/** Return the first of the reasons to tell or, if it only repeats what the card does at once and the rival would win this trick about as often, another one, like `reason_and_contrast` in Python. */
export function reasonAgainstRival(told: MessageText[], reasons: MessageText[]): MessageText[] {
  const isKnown = told[0] && DIRECT.test(told[0][0]) && !reasons.some(saysWinMoreOften)
  return [...(isKnown ? [...told, ...reasons].filter(explainsMore) : []), ...told].slice(0, 1)
}

/** Return a second reason if the first only repeats what the card does at once, which some worse cards do as well, like `reason_beyond_direct` in Python. */
export function reasonBeyondDirect(best: number, worse: number[], found: MessageText[], reasons: (k: number, rival: number) => MessageText[]): MessageText[] {
  if (!found.length || !found.every(([id]) => DIRECT.test(id))) return []
  const alike = worse.filter((rival) => !reasons(best, rival).some(saysWinMoreOften))
  const listed = alike.flatMap((rival) => reasons(best, rival)).filter(explainsMore)
  const reach = (reason: MessageText) => alike.filter((rival) => has(reasons(best, rival), reason)).length
  return listed.sort((a, b) => reach(b) - reach(a)).slice(0, 1)
}
