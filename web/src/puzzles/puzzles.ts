// Puzzle files, written by `diamonds puzzles`: a seat's view, its answers and their values. The choice of the next puzzle is here too.
import counts from './data/index.json'
import type { MessageRef } from '../client/types'
import type { Mistake } from '../components/mistakes'
import type { View } from '../components/boardScene'

/** An answer, or several equivalent ones, with values: `gain`, and `behind`, the difference from the best. */
export type EvaluatedAnswer = [names: (number | string)[], gain: number, behind: number, error: number, worlds: number, because: MessageRef[]]

export interface Puzzle {
  id: string
  seat: number
  view: View
  question: string
  refused: { cards: string[]; says: MessageRef }[]
  /** The answers, best first. */
  answers: EvaluatedAnswer[]
  /** The lead over the second best, with its interval. */
  margin: [number, number, number]
  worlds: number
  /** The number of tries, by level, that found the best answer. */
  found: number[]
  /** The lowest level such that it and all higher ones find the answer. */
  grade: number
  /** The id of the previous puzzle in a sequence. */
  follows?: string
}

export interface PuzzleSet {
  unit: '%' | 'points'
  tries: number
  puzzles: Puzzle[]
}

const FILES = new Map(
  Object.entries(import.meta.glob<PuzzleSet>(['./data/*.json', '!./data/index.json'], { import: 'default' })).map(([file, load]) => [file.replace(/.*\/|\.json$/g, ''), load]),
)

/** The number of puzzles of each game. */
export const COUNTS: [game: string, number: number][] = Object.entries(counts).filter(([, number]) => number)

export const loadPuzzles = (game: string): Promise<PuzzleSet> => FILES.get(game)!()

/** Return the difficulty in rating points: 800, plus 250 for each level in proportion to its failed tries. */
export const difficulty = ({ found }: Puzzle, tries: number): number => Math.round(800 + 250 * found.reduce((sum, times) => sum + 1 - times / tries, 0))

/** Return a mistake as a puzzle. Only the given answer and the best ones have values. */
export function puzzleOfMistake({ id, seat, view, question, legal, given, best, cost, cost_error, worlds, reasons }: Mistake): Puzzle {
  const others = legal.filter((one) => one !== given && !best.includes(one))
  const answers: EvaluatedAnswer[] = [[best, 0, 0, 0, worlds, reasons], [[given], 0, cost, cost_error, worlds, []], ...others.map((one): EvaluatedAnswer => [[one], 0, NaN, 0, 0, []])]
  return { id, seat, view, question, refused: [], answers, margin: [cost, 0, 0], worlds, found: [], grade: 0 }
}

/** Return a local date as text: `2026-11-23`. */
export const dayOf = (date: Date): string => [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((one) => String(one).padStart(2, '0')).join('-')

export function previousDay(day: string): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return dayOf(new Date(year, month - 1, date - 1, 12))
}

/** Return the game of a daily puzzle. */
export function gameOf(day: string): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const days = Date.UTC(year, month - 1, date) / 86_400_000
  return COUNTS[days % COUNTS.length]![0]
}

/** Hash a text: FNV-1a with a final mix. */
function hash(text: string): number {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Return the index of a daily puzzle: the highest hash of day and id. Puzzles added later change few days. A puzzle that follows another is never chosen. */
export function puzzleOfDay(day: string, puzzles: readonly Puzzle[]): number {
  const drawn = puzzles.map(({ id, follows }) => (follows ? -1 : hash(`${day} ${id}`)))
  return drawn.indexOf(Math.max(...drawn))
}

/** Return the index of the untried puzzle that follows the one at an index; −1 if there is none. */
export const followingPuzzle = ({ puzzles }: PuzzleSet, at: number, tried: (id: string) => boolean): number => puzzles.findIndex(({ id, follows }) => follows === puzzles[at]!.id && !tried(id))

/** Return the index of the untried puzzle with the difficulty closest to a rating; it must not follow an untried one. −1 if there is none. */
export function nextPuzzle({ puzzles, tries }: PuzzleSet, tried: (id: string) => boolean, rating: number): number {
  const far = puzzles.map((one) => (tried(one.id) || (one.follows && !tried(one.follows)) ? Infinity : Math.abs(difficulty(one, tries) - rating)))
  const nearest = Math.min(...far)
  return nearest < Infinity ? far.indexOf(nearest) : -1
}
