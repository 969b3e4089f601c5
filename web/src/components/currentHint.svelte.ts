// The current hint: its text, and the cards, piles and buttons it names.
import { ApiError, get, sleep } from '../client/api'
import { lazy } from '../client/lazyLoad'
import type { HintChoiceInfo, HintResponse, MessageRef, PendingResponse } from '../client/types'
import { hints, loadPart, t } from '../client/i18n.svelte'
import { isCard, rankNumber, suitOf } from './cards'

let names = $state.raw<readonly string[]>([])
let tiedNames = $state.raw<readonly string[]>([])
let text = $state.raw('')
let hint = $state.raw<HintResponse | null>(null)
let currentQuestion = ''

/** Return the choices with the cards that are equivalent to one of them: of such neighbours a hint names only the lowest. */
function withEquivalents({ unit, question, choices }: HintResponse, legal: readonly string[]): HintChoiceInfo[] {
  const named = choices.flatMap(({ answers }) => answers.map(String))
  const others = unit === 'points' && question === 'play' ? legal.filter((card) => isCard(card) && !named.includes(card)) : []
  return choices.flatMap((choice, k) => {
    const [name] = choice.answers.map(String) as [string]
    const isNext = (card: string) => suitOf(card) === suitOf(name) && rankNumber(card) > rankNumber(name)
    const next = others.filter((card) => isNext(card) && !named.some((other) => suitOf(other) === suitOf(name) && rankNumber(other) > rankNumber(name) && rankNumber(other) < rankNumber(card)))
    return [choice, ...next.map((card): HintChoiceInfo => ({ ...choice, answers: [card], text: ['hint-cards', { cards: [card] }], tied: k === 0 || choice.tied, reasons: [] }))]
  })
}

export const hintState = {
  /** Whether the next question gets a hint, too. */
  continues: false,
  /** Return whether this card, pile or button is the best choice of the open hint, or part of it. */
  has: (name: string): boolean => names.includes(name),
  /** Return the mark of an answer that the hint calls as good as the best. */
  asGood: (name: string) => (tiedNames.includes(name) ? t('page-hint-tied') : undefined),
  /** The hint as one sentence; empty if none is open. */
  get text() {
    return text
  },
  get hint() {
    return hint
  },
  close(): void {
    currentQuestion = text = ''
    names = tiedNames = []
    hint = null
  },
  /**
   * Request a hint, or close the open one. `question` is a unique key of the open question; empty if there is none. A `quiet` one opens nothing: what
   * it names is marked.
   */
  async ask(table: string, question: string, legal: readonly string[], textOf: (says: MessageRef) => string, quiet = false): Promise<void> {
    if (text) return quiet ? undefined : this.close()
    const show = (says: string) => void (quiet || (text = says))
    if (!question) return show(t('page-hint-turn'))
    if (hint && currentQuestion === question) return show(textOf(hint.text))
    currentQuestion = question
    show(t('page-hint-thinking'))
    try {
      for (;;) {
        const [answer] = await Promise.all([get<HintResponse | PendingResponse>(`/api/tables/${table}/hint`), lazy(() => loadPart(hints))])
        if (currentQuestion !== question) return
        show('choices' in answer ? textOf(answer.text) : t('page-hint-warming'))
        if ('choices' in answer) {
          hint = { ...answer, choices: withEquivalents(answer, legal) }
          const [best, ...others] = hint.choices.map(({ answers, tied }) => ({ names: answers.map(String), tied }))
          names = best!.names
          // Sets of cards overlap: only the best is marked.
          tiedNames = others.flatMap((one) => (one.tied && one.names.length === 1 ? one.names : []))
          return
        }
        await sleep(1000)
        if (currentQuestion !== question) return
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      show(error.message)
    }
  },
}
