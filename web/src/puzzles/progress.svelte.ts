// How one has done at puzzles, kept in this browser and told nobody.
import { recall, remember } from '../components/settings.svelte'
import { before } from './puzzles'
import { FIRST, rated, type Rating } from './rating'

interface Kept extends Rating {
  /** Of each game, which puzzles were tried, and whether the first answer was right. */
  tried: Record<string, Record<string, boolean>>
  /** Right ones in a row, and the most there were. */
  streak: number
  most: number
  /** The last day whose puzzle was solved, and how many days in a row it is. */
  day: string
  days: number
}

const kept: Kept = $state({ ...FIRST, tried: {}, streak: 0, most: 0, day: '', days: 0, ...recall<Partial<Kept>>('puzzles', {}) })

export const progress = {
  get rating(): number {
    return Math.round(kept.rating)
  },
  get streak(): number {
    return kept.streak
  },
  get most(): number {
    return kept.most
  },
  /** Whether anything was tried. */
  get any(): boolean {
    return Object.keys(kept.tried).length > 0
  },
  /** Whether a puzzle was solved; nothing if it was not tried. */
  of: (game: string, id: string): boolean | undefined => kept.tried[game]?.[id],
  /** How many of a game were tried, and how many of them solved. */
  count(game: string): { tried: number; right: number } {
    const all = Object.values(kept.tried[game] ?? {})
    return { tried: all.length, right: all.filter(Boolean).length }
  },
  /** How many days in a row their puzzles were solved, up to this day or the one before. */
  days: (today: string): number => (kept.day === today || kept.day === before(today) ? kept.days : 0),
  /** A puzzle was answered for the first time; `day` is the one whose puzzle it is, if it is one's. */
  note(game: string, id: string, right: boolean, hardness: number, day: string): void {
    kept.tried[game] = { ...kept.tried[game], [id]: right }
    Object.assign(kept, rated(kept, hardness, right))
    kept.streak = right ? kept.streak + 1 : 0
    kept.most = Math.max(kept.most, kept.streak)
    if (day && right) Object.assign(kept, { days: (kept.day === before(day) ? kept.days : 0) + 1, day })
    remember('puzzles', kept)
  },
}
