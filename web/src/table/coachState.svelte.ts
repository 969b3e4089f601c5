// Which sentence of the coach is due. One is said at a time: those about a question while it is asked, what has happened in its
// turn. One that was shown when its reader went on, by an answer or by a tap, is not said again.
import type { Lesson, Moment } from '../games/contract'
import { met, recall, remember, set, settings } from '../components/settings.svelte'

interface Due {
  lesson: Lesson
  says: () => string
}

/** By game: at which table it was coached last, and the lessons given, by name. */
type Kept = Record<string, { table: string; said: string[] }>

export class Coaching {
  #due = $state.raw<Due[]>([])
  #said: Set<string>

  constructor(
    readonly lessons: readonly Lesson[],
    readonly game: string,
    readonly table: string,
  ) {
    const kept = recall<Kept>('coach', {})[game]
    // In a game that is coached at will all is said again.
    this.#said = new Set(settings.coach === 'always' && kept?.table !== table ? [] : kept?.said)
  }

  /** What is said now, and what it is called. */
  get sentence(): string {
    return this.#due[0]?.says() ?? ''
  }
  get name(): string {
    return this.#due[0]?.lesson.name ?? ''
  }
  get more(): boolean {
    return this.#due.length > 1
  }

  /** Look at the table: is this the first moment of some kind? */
  look(now: Moment): void {
    const first = this.lessons.filter((lesson) => !this.#said.has(lesson.name) && lesson.says(now))
    const due = (lesson: Lesson): Due => ({ lesson, says: () => lesson.says(now) || '' })
    const waiting = this.#due.filter(({ lesson }) => !lesson.asks)
    const known = new Set(waiting.map(({ lesson }) => lesson))
    this.#due = [
      ...first.filter((lesson) => lesson.asks).map(due),
      ...waiting,
      ...first.filter((lesson) => !lesson.asks && !known.has(lesson)).map(due),
    ]
  }

  /** The reader goes on. */
  on(): void {
    const [shown, ...rest] = this.#due
    if (!shown) return
    this.#said.add(shown.lesson.name)
    remember('coach', { ...recall<Kept>('coach', {}), [this.game]: { table: this.table, said: [...this.#said] } })
    this.#due = rest
  }

  /** It is sent away, for good. */
  away(): void {
    if (settings.coach === 'always') set({ coach: 'first' })
    met(this.game)
  }
}
