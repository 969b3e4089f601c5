// Events, questions, endings and the state of a game as text. Message ids follow from the game and the name.
import type { EventInfo, SeatInfo, TableInfo } from '../client/types'
import { capitalize, textOf, hasMessage, joinList, t } from '../client/i18n.svelte'
import { nameOf, type View } from './scene'

const idOf = (...parts: string[]) => parts.join('-').replaceAll('_', '-')

/** What has happened. */
export function eventText({ event, text: says }: EventInfo, game: string, places: SeatInfo[], me: number | null): string {
  const { event: name, ...values } = event
  const id = idOf(game, name as string)
  const hidden = Object.values(values).includes(null) && hasMessage(`${id}-hidden`) ? `${id}-hidden` : id
  return capitalize(textOf(says ?? [hidden, values], places, me))
}

/** A question, without whom it is put to. */
export const questionText = (game: string, question: string): string => textOf([idOf(game, 'question', question), {}])

/** Why a game ended. */
export const endingText = (game: string, result: Record<string, any>): string => textOf([idOf(game, 'end', result.ended as string), result])

/** How it stands: what one is asked, or whom all wait for. */
export function standingText(info: TableInfo, view: View | null, mine: boolean): string {
  if (!view?.question) return ''
  if (mine) return t('page-asked-you', { question: questionText(info.game, view.question) })
  return t('page-asked-others', { names: joinList(view.to_act.map((seat) => nameOf(info.seat_holders, seat))) })
}
