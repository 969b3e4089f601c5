// Selects the coach's lesson: the first in the game's list that is due. A lesson ends with its subject: an outcome when the next trick or turn begins. New
// changes replace older ones. A lesson on screen when the player answers or taps counts as given and is not repeated.
import { t } from '../client/i18n.svelte'
import type { CoachLesson, CoachContext, GameCoach } from '../games/gameUi'
import { stopCoaching, loadSetting, saveSetting, changeSettings, settings } from '../components/settings.svelte'

interface DueLesson {
  lesson: CoachLesson
  text: () => string
  /** The key of the table when it became due. */
  moment: string
}

/** By game: the table coached last, and the names of the given lessons. */
type StoredCoach = Record<string, { table: string; said: string[] }>

/** The last lesson, when everything else has been explained. */
const HINT: CoachLesson = { name: 'hint', about: 'question', text: ({ question, canHint }) => question && canHint && t('page-coach-hint') }

export class CoachState {
  readonly #lessons: readonly CoachLesson[]
  #due = $state.raw<DueLesson[]>([])
  #given: Set<string>

  constructor(
    readonly coach: GameCoach,
    readonly game: string,
    readonly table: string,
  ) {
    this.#lessons = coach.plainReason ? coach.lessons : [...coach.lessons, HINT]
    const stored = loadSetting<StoredCoach>('coach', {})[game]
    // If the coach is always on, each table begins with all lessons.
    this.#given = new Set(settings.coach === 'always' && stored?.table !== table ? [] : stored?.said)
  }

  /** The text of the current lesson, and its name. */
  get sentence(): string {
    return this.#due[0]?.text() ?? ''
  }
  get name(): string {
    return this.#due[0]?.lesson.name ?? ''
  }
  get hasMore(): boolean {
    return this.#due.length > 1
  }

  /** Update the current lesson: which are due, and is the shown one still valid? */
  update(now: CoachContext): void {
    const here = this.coach.moment(now.view)
    const fresh = this.#lessons
      .filter((lesson) => !this.#given.has(lesson.name) && lesson.text(now))
      .map((lesson) => ({ lesson, text: () => lesson.text(now) || '', moment: here }))
    const brings = (...about: string[]) => fresh.some(({ lesson }) => about.includes(lesson.about))
    const kept = this.#due.filter(({ lesson: { about }, moment }) =>
      about !== 'question' && moment === here && !brings('outcome', about),
    )
    const order = ({ lesson }: DueLesson) => this.#lessons.indexOf(lesson)
    const due = [...fresh, ...kept].sort((a, b) => order(a) - order(b))
    // Of simultaneous changes only one is explained: another may have undone the first.
    const change = due.find(({ lesson }) => lesson.about === 'outcome')
    this.#due = due.filter((one) => one === change || one.lesson.about !== 'outcome')
  }

  /** The question is answered: the lesson shown is given, and earlier changes are no longer news. */
  answered(): void {
    this.next()
    this.#due = this.#due.filter(({ lesson }) => lesson.about === 'table')
  }

  /** Show the next lesson. */
  next(): void {
    const [shown, ...rest] = this.#due
    if (!shown) return
    this.#given.add(shown.lesson.name)
    saveSetting('coach', { ...loadSetting<StoredCoach>('coach', {}), [this.game]: { table: this.table, said: [...this.#given] } })
    this.#due = rest
  }

  /** Turn the coach off for this game. */
  dismiss(): void {
    if (settings.coach === 'always') changeSettings({ coach: 'first' })
    stopCoaching(this.game)
  }
}
