// The coach's current tip: the first in the game's list that is due. A tip ends with its subject; an outcome ends when
// the next trick or turn begins. New changes replace older ones. A tip on screen when the player answers or taps counts
// as given and is not repeated.
import { t } from '../client/i18n.svelte'
import type { CoachTip, CoachContext, GameCoach } from '../games/gameUi'
import { loadSetting, saveSetting, settings } from '../components/settings.svelte'

interface DueTip {
  tip: CoachTip
  text: () => string
  /** The key of the table when the tip became due. */
  moment: string
}

/** By game: the table coached last, and the names of the given tips. */
type StoredCoach = Record<string, { table: string; said: string[] }>

/** The tip that is shown once, after a tip was closed. */
const OFF: CoachTip = { name: 'off', about: 'table', text: () => t('page-coach-off') }

export class CoachTips {
  readonly #tips: readonly CoachTip[]
  #due = $state.raw<DueTip[]>([])
  /** The decision in which the player closed a tip: no other tip follows until the next. */
  #closedAt = ''
  #now = ''
  #given: Set<string>

  constructor(
    readonly coach: GameCoach,
    readonly game: string,
    readonly table: string,
  ) {
    this.#tips = coach.tips
    const stored = loadSetting<StoredCoach>('coach', {})[game]
    // If the coach is always on, each table begins with all tips.
    this.#given = new Set(settings.coach === 'always' && stored?.table !== table ? [] : stored?.said)
  }

  /** The text of the current tip, and its name. */
  get sentence(): string {
    return this.#due[0]?.text() ?? ''
  }
  get name(): string {
    return this.#due[0]?.tip.name ?? ''
  }
  get hasMore(): boolean {
    return this.#due.length > 1
  }

  /** Update the current tip, depending on which tips are due and whether the displayed one is still valid. */
  update(now: CoachContext): void {
    const here = this.coach.moment(now.view)
    const before = this.#now
    this.#now = `${here} ${now.question}`
    if (this.#now === this.#closedAt) return
    this.#closedAt = ''
    // A hint that arrives or goes while the player reads changes neither the tip on screen nor its words.
    const read = now.question && this.#now === before ? this.#due[0] : null
    const fresh = this.#tips
      .filter((tip) => !this.#given.has(tip.name) && (tip.text(now) || (tip === read?.tip && tip.about === 'question')))
      .map((tip) => (tip === read?.tip ? read : { tip, text: () => tip.text(now) || '', moment: here }))
    const brings = (...about: string[]) => fresh.some(({ tip }) => about.includes(tip.about))
    const kept = this.#due.filter(({ tip: { about }, moment }) =>
      about !== 'question' && moment === here && !brings('outcome', about),
    )
    const order = (one: DueTip) => (one.tip === read?.tip ? -1 : this.#tips.indexOf(one.tip))
    const due = [...fresh, ...kept].sort((a, b) => order(a) - order(b))
    // Explain only one of several simultaneous changes, because another may have undone the first.
    const change = due.find(({ tip }) => tip.about === 'outcome')
    this.#due = due.filter((one) => one === change || one.tip.about !== 'outcome')
  }

  /** Handle an answer to the question: the tip on screen counts as given, and earlier changes are no longer news. */
  answered(): void {
    this.next()
    this.#due = this.#due.filter(({ tip }) => tip.about === 'table')
  }

  /** Show the next tip. */
  next(): void {
    const [shown, ...rest] = this.#due
    if (!shown) return
    this.#given.add(shown.tip.name)
    saveSetting('coach', { ...loadSetting<StoredCoach>('coach', {}), [this.game]: { table: this.table, said: [...this.#given] } })
    this.#due = rest
  }

  /** Close the tip. The first time, say where to turn the coach off. */
  close(): void {
    this.next()
    this.#closedAt = this.#now
    this.#due = this.#given.has(OFF.name) ? [] : [{ tip: OFF, text: () => OFF.text({} as CoachContext) || '', moment: this.#now }]
  }
}
