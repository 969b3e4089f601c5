// The trick at a step of a replay.
import type { GameUi } from '../games/gameUi'
import type { EventInfo } from '../client/types'
import type { VisibleTrick, View } from '../components/boardScene'
import { playedCards } from '../table/updateFrames'

/** Return the trick that this step completed, or else the trick on the table. */
export function replayTrick(game: GameUi, before: View | null, view: View, told: EventInfo[]): VisibleTrick | null {
  const won = told.findLastIndex((item) => item.event.event === 'trick')
  if (won < 0 || !before || !game.tricks) return game.tricks?.current(view) ?? null
  const { cards, leader } = game.tricks.current(before)
  return { cards: [...cards, ...playedCards(told).map((one) => one.card)], leader, winner: told[won]!.event.seat as number }
}
