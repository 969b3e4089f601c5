// Events, questions, endings and the state of a game as text. Message ids follow from the game and the name.
import type { EventInfo, SeatInfo, TableInfo } from '../client/types'
import { capitalize, textOf, hasMessage, joinList, t } from '../client/i18n.svelte'
import { nameOf, type View } from './boardScene'

export const idOf = (...parts: string[]) => parts.join('-').replaceAll('_', '-')

export function eventText({ event, text: says }: EventInfo, game: string, places: SeatInfo[], me: number | null): string {
  const { event: name, ...values } = event
  const id = idOf(game, name as string)
  const hidden = Object.values(values).includes(null) && hasMessage(`${id}-hidden`) ? `${id}-hidden` : id
  return capitalize(textOf(says ?? [hidden, values], places, me))
}

/** Return a question without the player it asks. */
export const questionText = (game: string, question: string): string => textOf([idOf(game, 'question', question), {}])

/** Return how a game ended. */
export const endingText = (game: string, result: Record<string, any>): string => textOf([idOf(game, 'end', result.ended as string), result])

/** Return the names of the players who are to act. */
export const waitingText = (info: TableInfo, view: View | null): string =>
  view?.question ? t('page-asked-others', { names: joinList(view.to_act.map((seat) => nameOf(info.seat_holders, seat))) }) : ''
