// The file format of courses. The rules decide what is legal; a course only names the expected answers and the feedback to others.
import type { Value } from '../client/options'

/** A table whose cards lie as they are said: by seat, or by pile from the top, the cards of its first deal. */
export interface StackedDeal {
  options: Record<string, Value>
  /** Which seat is the learner's. */
  me: number
  /** What each seat cuts. */
  cut: string[]
  cards: string[][]
}

/** Something to do. Sentences are found by its name; its texts are `page-lesson-GAME-NAME…`. */
export interface Step {
  name: string
  /** The rules that are learned by it, by their numbers. */
  rules: string[]
  /** A table, and what has happened there; without it, this step goes on where the one before ended. */
  at?: { table: string; played: string[] }
  /** One answer of the learner after the other: a question, and the answers to it that are right. `D*` is every one that begins so, `*` any. */
  do: string[]
  /** What has to come of them, too: of each of these events one is told, with these values. */
  brings?: Record<string, unknown>[]
  /** What others answer, each when it is their turn; where that is not legal, the first answer that is. */
  then?: string[]
  /** What is said to other answers: the first of these that fits, and `wrong` if none does. */
  wrong?: Record<string, string>
}

export interface Course {
  game: string
  tables: Record<string, StackedDeal>
  steps: Step[]
}

/** All courses there are, by their games. */
export const courses = new Map(
  Object.entries(import.meta.glob<Course>('./courses/*.json', { import: 'default' })).map(([file, load]) => [file.replace(/.*\/|\.json$/g, ''), load]),
)
