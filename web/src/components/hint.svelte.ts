// The hint to the open question: what it says, and which cards, piles and buttons it names.
import { Refusal, get, wait } from '../client/api'
import { later } from '../client/lazy'
import type { Hint, Says, Underway } from '../client/types'
import { hints, learn, say } from '../client/i18n.svelte'

let names = $state.raw<readonly string[]>([])
let says = $state.raw('')
let hint = $state.raw<Hint | null>(null)
let asked = ''

export const hinted = {
  /** Whether the open hint names this card, pile or button. */
  has: (name: string): boolean => names.includes(name),
  /** One sentence; empty where there is no hint. */
  get says() {
    return says
  },
  get hint() {
    return hint
  },
  close(): void {
    asked = says = ''
    names = []
    hint = null
  },
  /** Ask for a hint to the question, or put it away. `question` is told apart from every other; empty is none. `put` puts into words. */
  async ask(table: string, question: string, put: (says: Says) => string): Promise<void> {
    if (says) return this.close()
    if (!question) return void (says = say('page-hint-turn'))
    asked = question
    says = say('page-hint-thinking')
    try {
      for (;;) {
        const [answer] = await Promise.all([get<Hint | Underway>(`/api/tables/${table}/hint`), later(() => learn(hints))])
        if (asked !== question) return
        says = 'choices' in answer ? put(answer.says) : say('page-hint-warming')
        if ('choices' in answer) {
          hint = answer
          names = hint.choices.filter((one, k) => k === 0 || one.tied).flatMap((one) => one.answers.map(String))
          return
        }
        await wait(1000)
        if (asked !== question) return
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      says = error.message
    }
  },
}
