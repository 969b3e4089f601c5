// The file format of courses. The rules decide what is legal; a course only lists the expected answers and the feedback
// to others.
import type { OptionValue } from '../client/options'

/** A table with a fixed first deal: the cards by seat, or by pile from the top. */
export interface StackedDeal {
  options: Record<string, OptionValue>
  /** The learner's seat. */
  me: number
  /** The card that each seat cuts. */
  cut: string[]
  cards: string[][]
}

/** A task. Its messages are `page-lesson-GAME-NAME…`. */
export interface Step {
  name: string
  /** The numbers of the rules that it teaches. */
  rules: string[]
  /** A table, and the answers given so far. If omitted, the step continues from the previous one. */
  at?: { table: string; played: string[] }
  /** The others' answers at the beginning of a step that continues the previous one, such as the lead of a trick. */
  first?: string[]
  /** The learner's answers in order: a question and its correct answers. `D*` matches all that begin with D, `*` all. */
  do: string[]
  /** The number of answers after which the task's second sentence, `-then`, replaces the first. */
  secondTaskAfter?: number
  /** Events that must follow, with these values. */
  brings?: Record<string, unknown>[]
  /** The answers of the others, each when it is their turn. An illegal one is replaced with the first legal answer. */
  then?: string[]
  /** The feedback to other answers: the first matching pattern, or `wrong` if none matches. */
  wrong?: Record<string, string>
}

export interface Course {
  game: string
  tables: Record<string, StackedDeal>
  steps: Step[]
}

/** Return where a step begins that does not continue the previous one: at the table of that step, or at a new one. */
export function beginsAt({ steps }: Course, k: number): 'same' | 'new' | null {
  const at = steps[k]?.at
  if (!at || k === 0) return null
  return steps[k - 1]!.at?.table === at.table ? 'same' : 'new'
}

/** The courses, by game. */
export const courses = new Map(
  Object.entries(import.meta.glob<Course>('./courses/*.json', { import: 'default' })).map(([file, load]) => [file.replace(/.*\/|\.json$/g, ''), load]),
)
