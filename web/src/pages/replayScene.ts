// What lies on the table at a step of a replay.
import type { Game } from '../games/contract'
import type { Told } from '../client/types'
import type { Shown, View } from '../components/scene'
import { laid } from '../table/frames'

/** A trick that this step of a replay completed, or the trick that lies on the table. */
export function replayed(game: Game, before: View | null, view: View, told: Told[]): Shown | null {
  const won = told.findLastIndex((item) => item.event.event === 'trick')
  if (won < 0 || !before || !game.tricks) return game.tricks?.now(view) ?? null
  const { cards, leader } = game.tricks.now(before)
  return { cards: [...cards, ...laid(told).map((one) => one.card)], leader, winner: told[won]!.event.seat as number }
}
