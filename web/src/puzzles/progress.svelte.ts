// Rating, streaks and solved puzzles, stored in this browser only.
import { loadSetting, saveSetting } from '../components/settings.svelte'
import { previousDay } from './puzzles'
import { INITIAL_RATING, updateRating, type Rating } from './rating'

interface StoredProgress extends Rating {
  /** By game: the puzzles tried, and whether the first answer was correct. */
  tried: Record<string, Record<string, boolean>>
  /** Consecutive correct answers: current and longest streak. */
  streak: number
  most: number
  /** The last day whose puzzle was solved, and the length of the daily streak. */
  day: string
  days: number
}

const stored: StoredProgress = $state({ ...INITIAL_RATING, tried: {}, streak: 0, most: 0, day: '', days: 0, ...loadSetting<Partial<StoredProgress>>('puzzles', {}) })

export const progress = {
  get rating(): number {
    return Math.round(stored.rating)
  },
  get streak(): number {
    return stored.streak
  },
  get most(): number {
    return stored.most
  },
  /** True if any puzzle was tried. */
  get any(): boolean {
    return Object.keys(stored.tried).length > 0
  },
  /** Return whether a puzzle was solved; undefined if it was not tried. */
  of: (game: string, id: string): boolean | undefined => stored.tried[game]?.[id],
  /** Return how many puzzles of a game were tried, and how many solved. */
  count(game: string): { tried: number; right: number } {
    const all = Object.values(stored.tried[game] ?? {})
    return { tried: all.length, right: all.filter(Boolean).length }
  },
  /** Return the daily streak up to this day or the day before. */
  days: (today: string): number => (stored.day === today || stored.day === previousDay(today) ? stored.days : 0),
  /** Record the first answer to a puzzle; `day` is set for daily puzzles. */
  recordAnswer(game: string, id: string, right: boolean, hardness: number, day: string): void {
    stored.tried[game] = { ...stored.tried[game], [id]: right }
    Object.assign(stored, updateRating(stored, hardness, right))
    stored.streak = right ? stored.streak + 1 : 0
    stored.most = Math.max(stored.most, stored.streak)
    if (day && right) Object.assign(stored, { days: (stored.day === previousDay(day) ? stored.days : 0) + 1, day })
    saveSetting('puzzles', stored)
  },
}
