// Which sentence of the coach is due. One is said at a time: those about a question while it is asked, what has happened in its
// turn. One that was shown when its reader went on, by an answer or by a tap, is not said again.
import type { CoachLesson, CoachContext } from '../games/contract'
import { stopCoaching, loadSetting, saveSetting, changeSettings, settings } from '../components/settings.svelte'

interface DueLesson {
  lesson: CoachLesson
  says: () => string
}

/** By game: at which table it was coached last, and the lessons given, by name. */
type StoredCoach = Record<string, { table: string; said: string[] }>

export class CoachState {
  #due = $state.raw<DueLesson[]>([])
  #said: Set<string>

  constructor(
    readonly lessons: readonly CoachLesson[],
    readonly game: string,
    readonly table: string,
  ) {
    const kept = loadSetting<StoredCoach>('coach', {})[game]
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
  get hasMore(): boolean {
    return this.#due.length > 1
  }

  /** Look at the table: is this the first moment of some kind? */
  update(now: CoachContext): void {
    const first = this.lessons.filter((lesson) => !this.#said.has(lesson.name) && lesson.text(now))
    const due = (lesson: CoachLesson): DueLesson => ({ lesson, says: () => lesson.text(now) || '' })
    const waiting = this.#due.filter(({ lesson }) => !lesson.aboutQuestion)
    const known = new Set(waiting.map(({ lesson }) => lesson))
    this.#due = [
      ...first.filter((lesson) => lesson.aboutQuestion).map(due),
      ...waiting,
      ...first.filter((lesson) => !lesson.aboutQuestion && !known.has(lesson)).map(due),
    ]
  }

  /** The reader goes on. */
  next(): void {
    const [shown, ...rest] = this.#due
    if (!shown) return
    this.#said.add(shown.lesson.name)
    saveSetting('coach', { ...loadSetting<StoredCoach>('coach', {}), [this.game]: { table: this.table, said: [...this.#said] } })
    this.#due = rest
  }

  /** It is sent away, for good. */
  dismiss(): void {
    if (settings.coach === 'always') changeSettings({ coach: 'first' })
    stopCoaching(this.game)
  }
}
