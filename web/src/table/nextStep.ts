// The choice of the suggestion shown after a game.

export type NextStep = { kind: 'up' | 'down'; level: string } | { kind: 'lesson' | 'again' | 'puzzle' }

export interface EndedGame {
  id: string
  game: string
  /** The player's rank, the number of ranks, and whether the rank is shared. */
  place: number
  places: number
  alone: boolean
  /** The level of the bots, if all opponents were bots of the same level, and the cards were not known from another game. */
  level: string | null
}

/** Counts of finished games, stored in this browser. */
export interface FinishedGameCounts {
  /** The tables already counted, newest last. */
  tables: string[]
  /** Number of finished games, by game. */
  played: Record<string, number>
  /** Consecutive clear losses against the level played last, by game and level. */
  lost: Record<string, number>
}

const MAX_TABLES = 100
const LOST_IN_A_ROW = 2

/** Count a finished game, but only once. */
export function countFinishedGame({ id, game, place, places, level }: EndedGame, { tables = [], played = {}, lost = {} }: Partial<FinishedGameCounts>): FinishedGameCounts {
  if (tables.includes(id)) return { tables, played, lost }
  const against = `${game} ${level}`
  const others = Object.fromEntries(Object.entries(lost).filter(([one]) => !one.startsWith(`${game} `)))
  return {
    tables: [...tables, id].slice(-MAX_TABLES),
    played: { ...played, [game]: (played[game] ?? 0) + 1 },
    lost: level ? { ...others, [against]: place === places ? (lost[against] ?? 0) + 1 : 0 } : lost,
  }
}

/** Return the suggestion; `levels` are the available levels, weakest first. */
export function nextStep(ended: EndedGame, counts: FinishedGameCounts, levels: string[], hasLearned: boolean): NextStep {
  const { game, level, place, alone } = ended
  const at = level === null ? -1 : levels.indexOf(level)
  if (at >= 0 && place === 1 && alone && levels[at + 1]) return { kind: 'up', level: levels[at + 1]! }
  if (at >= 0 && (counts.lost[`${game} ${level}`] ?? 0) >= LOST_IN_A_ROW) {
    if (at > 0) return { kind: 'down', level: levels[at - 1]! }
    if (!hasLearned) return { kind: 'lesson' }
  }
  if (counts.played[game] === 1) return { kind: hasLearned || (place === 1 && alone) ? 'again' : 'lesson' }
  return { kind: 'puzzle' }
}
