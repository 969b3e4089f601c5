// What to do after a game: one suggestion, by rules that a player would find fair.

export type NextStep = { kind: 'up' | 'down'; level: string } | { kind: 'lesson' | 'again' | 'puzzle' }

export interface EndedGame {
  id: string
  game: string
  /** The own place, from 1, of so many; whether nobody shares it. */
  place: number
  places: number
  alone: boolean
  /** The level of the bots, if all others were bots of one level. */
  level: string | null
}

/** What is stored in this browser of games that were played to their end. */
export interface FinishedGameCounts {
  /** The tables that are counted, the newest last. */
  tables: string[]
  /** How many games of a kind were played to the end. */
  played: Record<string, number>
  /** How many in a row were lost clearly, by game and level. */
  lost: Record<string, number>
}

const MAX_TABLES = 100
const LOST_IN_A_ROW = 2

/** Count a game that was played to its end; each counts once. */
export function countFinishedGame({ id, game, place, places, level }: EndedGame, { tables = [], played = {}, lost = {} }: Partial<FinishedGameCounts>): FinishedGameCounts {
  if (tables.includes(id)) return { tables, played, lost }
  const against = `${game} ${level}`
  return {
    tables: [...tables, id].slice(-MAX_TABLES),
    played: { ...played, [game]: (played[game] ?? 0) + 1 },
    lost: level ? { ...lost, [against]: place === places ? (lost[against] ?? 0) + 1 : 0 } : lost,
  }
}

/** The one suggestion; `levels` are those there are, the weakest first. */
export function nextStep(ended: EndedGame, counts: FinishedGameCounts, levels: string[], hasLearned: boolean): NextStep {
  const { game, level, place, alone } = ended
  const at = level === null ? -1 : levels.indexOf(level)
  if (at >= 0 && place === 1 && alone && levels[at + 1]) return { kind: 'up', level: levels[at + 1]! }
  if (at > 0 && (counts.lost[`${game} ${level}`] ?? 0) >= LOST_IN_A_ROW) return { kind: 'down', level: levels[at - 1]! }
  if (counts.played[game] === 1) return { kind: hasLearned || (place === 1 && alone) ? 'again' : 'lesson' }
  return { kind: 'puzzle' }
}
