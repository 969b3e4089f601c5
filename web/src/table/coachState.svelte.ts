// Which line of the coach is due: of all that are true now, the first of the game's list. A line goes with what it is about, and what
// has just happened replaces what happened before. A line that was shown when the reader went on, by an answer or a tap, is not shown again.
import { t } from '../client/i18n.svelte'
import type { CoachLesson, CoachContext, GameCoach } from '../games/contract'
import { stopCoaching, loadSetting, saveSetting, changeSettings, settings } from '../components/settings.svelte'

interface DueLesson {
  lesson: CoachLesson
  text: () => string
  /** What lay on the table when it became due. */
  moment: string
}

/** By game: at which table it was coached last, and the lessons given, by name. */
type StoredCoach = Record<string, { table: string; said: string[] }>

/** Once all that is new has been explained: who knows more. */
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
    this.#lessons = [...coach.lessons, HINT]
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

  /** Look at the table: is this the first moment of some kind, and what was said before, is it still so? */
  update(now: CoachContext): void {
    const here = this.coach.moment(now.view)
    const fresh = this.#lessons
      .filter((lesson) => !this.#given.has(lesson.name) && lesson.text(now))
      .map((lesson) => ({ lesson, text: () => lesson.text(now) || '', moment: here }))
    const brings = (...about: string[]) => fresh.some(({ lesson }) => about.includes(lesson.about))
    const kept = this.#due.filter(({ lesson: { about }, moment }) =>
      about === 'outcome' ? !brings('outcome') : about === 'table' && moment === here && !brings('outcome', 'table'),
    )
    const order = ({ lesson }: DueLesson) => this.#lessons.indexOf(lesson)
    const due = [...fresh, ...kept].sort((a, b) => order(a) - order(b))
    // Of what was told at once, one change is explained: another may have undone what the first did.
    const change = due.find(({ lesson }) => lesson.about === 'outcome')
    this.#due = due.filter((one) => one === change || one.lesson.about !== 'outcome')
  }

  /** The question is answered: what was shown is done with, and what changed before it is no news. */
  answered(): void {
    this.next()
    this.#due = this.#due.filter(({ lesson }) => lesson.about === 'table')
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
