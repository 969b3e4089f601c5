// The current hint: its text, and the cards, piles and buttons it names.
import { ApiError, get, sleep } from '../client/api'
import { lazy } from '../client/lazyLoad'
import type { HintResponse, MessageRef, PendingResponse } from '../client/types'
import { hints, loadPart, t } from '../client/i18n.svelte'

let names = $state.raw<readonly string[]>([])
let tiedNames = $state.raw<readonly string[]>([])
let text = $state.raw('')
let hint = $state.raw<HintResponse | null>(null)
/**
 * The latest request, its question, and the answer. An answer to any other request comes too late, even if another table
 * asks the same question. A closed hint keeps it, because a second search could recommend something else.
 */
let current: { question: string; answer?: HintResponse } = { question: '' }

export const hintState = {
  /** True if the next question also gets a hint. */
  continues: false,
  /** Return whether this card, pile or button is the best choice of the open hint, or part of it. */
  has: (name: string): boolean => names.includes(name) || (names.includes('S') && name.startsWith('S')),
  /** Return the mark of an answer that the hint calls as good as the best. */
  asGood: (name: string) => (tiedNames.includes(name) ? t('page-hint-tied') : undefined),
  /** The hint as one sentence; empty if none is open. */
  get text() {
    return text
  },
  get hint() {
    return hint
  },
  /** Mark these as the best, and those as good as the best. */
  mark(best: string[], asGood: string[]): void {
    names = best
    tiedNames = asGood
  },
  /** Close the hint; `forgets` its answer if the question has closed too. */
  close(forgets = false): void {
    if (forgets || !current.answer) current = { question: '' }
    text = ''
    names = tiedNames = []
    hint = null
  },
  /**
   * Request a hint, or close the open one. `question` is a unique key of the open question; empty if there is none. A
   * `quiet` request opens nothing, but marks what the hint names.
   */
  async ask(table: string, question: string, textOf: (says: MessageRef) => string, quiet = false): Promise<void> {
    if (text) return quiet ? undefined : this.close()
    const show = (says: string) => void (quiet || (text = says))
    if (!question) return show(t('page-hint-turn'))
    if (current.answer && current.question === question) {
      hint = current.answer
      return show(textOf(hint.text))
    }
    const request: typeof current = { question }
    current = request
    show(t('page-hint-thinking'))
    try {
      for (;;) {
        const [answer] = await Promise.all([get<HintResponse | PendingResponse>(`/api/tables/${table}/hint`), lazy(() => loadPart(hints))])
        if (current !== request) return
        show('choices' in answer ? textOf(answer.text) : t('page-hint-warming'))
        if ('choices' in answer) {
          hint = request.answer = answer
          return
        }
        await sleep(1000)
        if (current !== request) return
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (current === request) show(error.message)
    }
  },
}
