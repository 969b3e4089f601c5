// The current hint: its text, and the cards, piles and buttons it names.
import { ApiError, get, sleep } from '../client/api'
import { lazy } from '../client/lazyLoad'
import type { HintResponse, MessageRef, PendingResponse } from '../client/types'
import { hints, loadPart, t } from '../client/i18n.svelte'

let names = $state.raw<readonly string[]>([])
let text = $state.raw('')
let hint = $state.raw<HintResponse | null>(null)
let plainReason = $state.raw('')
let currentQuestion = ''

export const hintState = {
  /** Return whether the open hint names this card, pile or button. */
  has: (name: string): boolean => names.includes(name),
  /** The hint as one sentence; empty if none is open. */
  get text() {
    return text
  },
  get hint() {
    return hint
  },
  /** The reason in the words of the coach; empty if the hint's own are plain. */
  get plainReason() {
    return plainReason
  },
  close(): void {
    currentQuestion = text = plainReason = ''
    names = []
    hint = null
  },
  /**
   * Request a hint, or close the open one. `question` is a unique key of the open question; empty if there is none. A coach, which puts the reason
   * into plain words, opens nothing: what the hint names is marked.
   */
  async ask(table: string, question: string, textOf: (says: MessageRef) => string, plainly?: (hint: HintResponse) => string): Promise<void> {
    if (text) return plainly ? undefined : this.close()
    const show = (says: string) => void (plainly || (text = says))
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
          hint = answer
          plainReason = plainly?.(hint) ?? ''
          names = hint.choices.filter((one, k) => k === 0 || one.tied).flatMap((one) => one.answers.map(String))
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
