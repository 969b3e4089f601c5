// The puzzle rating: Glicko (Mark Glickman, 1995); each puzzle is a game against an opponent of known strength.

export interface Rating {
  rating: number
  /** Uncertainty: one standard deviation. */
  deviation: number
}

export const INITIAL_RATING: Rating = { rating: 1200, deviation: 350 }
const MIN_DEVIATION = 60 // lower bound, so that learning remains visible
const PUZZLE_DEVIATION = 50 // uncertainty of a puzzle's difficulty
const Q = Math.LN10 / 400

/** Return the rating after a puzzle was solved or missed. */
export function updateRating({ rating, deviation }: Rating, puzzle: number, solved: boolean): Rating {
  const g = 1 / Math.sqrt(1 + (3 * Q * Q * PUZZLE_DEVIATION * PUZZLE_DEVIATION) / (Math.PI * Math.PI))
  const expected = 1 / (1 + 10 ** ((-g * (rating - puzzle)) / 400))
  const known = 1 / (deviation * deviation) + Q * Q * g * g * expected * (1 - expected)
  return {
    rating: rating + (Q / known) * g * (Number(solved) - expected),
    deviation: Math.max(MIN_DEVIATION, Math.sqrt(1 / known)),
  }
}
