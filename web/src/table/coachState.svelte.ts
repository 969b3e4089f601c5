// Which sentence of the coach is due. One is shown at a time: first those about the open question, then those about events in turn.
// A sentence that was shown when the reader went on, by an answer or a tap, is not shown again.
import type { CoachLesson, CoachContext } from '../games/contract'
import { stopCoaching, loadSetting, saveSetting, changeSettings, settings } from '../components/settings.svelte'

interface DueLesson {
  lesson: CoachLesson
  text: () => string
}

/** By game: at which table it was coached last, and the lessons given, by name. */
type StoredCoach = Record<string, { table: string; said: string[] }>

export class CoachState {
  #due = $state.raw<DueLesson[]>([])
  #given: Set<string>

  constructor(
    readonly lessons: readonly CoachLesson[],
    readonly game: string,
    readonly table: string,
  ) {
    const stored = loadSetting<StoredCoach>('coach', {})[game]
    // In a game that is coached at will all is said again.
    this.#given = new Set(settings.coach === 'always' && stored?.table !== table ? [] : stored?.said)
  }

  /** What is said now, and what it is called. */
  get sentence(): string {
    return this.#due[0]?.text() ?? ''
  }
  get name(): string {
    return this.#due[0]?.lesson.name ?? ''
  }
  get hasMore(): boolean {
    return this.#due.length > 1
  }

  /** Look at the table: is this the first moment of some kind? */
  update(now: CoachContext): void {
    const first = this.lessons.filter((lesson) => !this.#given.has(lesson.name) && lesson.text(now))
    const due = (lesson: CoachLesson): DueLesson => ({ lesson, text: () => lesson.text(now) || '' })
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
    this.#given.add(shown.lesson.name)
    saveSetting('coach', { ...loadSetting<StoredCoach>('coach', {}), [this.game]: { table: this.table, said: [...this.#given] } })
    this.#due = rest
  }

  /** It is sent away, for good. */
  dismiss(): void {
    if (settings.coach === 'always') changeSettings({ coach: 'first' })
    stopCoaching(this.game)
  }
}
