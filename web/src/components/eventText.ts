// What a table says, in words: what has happened, what is asked, how it ended. A sentence's id follows from the game and the name.
import type { Place, TableInfo, Told } from '../client/types'
import { capitals, inWords, known, listed, say } from '../client/i18n.svelte'
import { nameOf, type View } from './scene'

const idOf = (...parts: string[]) => parts.join('-').replaceAll('_', '-')

/** What has happened. */
export function happened({ event, says }: Told, game: string, places: Place[], me: number | null): string {
  const { event: name, ...values } = event
  const id = idOf(game, name as string)
  const hidden = Object.values(values).includes(null) && known(`${id}-hidden`) ? `${id}-hidden` : id
  return capitals(inWords(says ?? [hidden, values], places, me))
}

/** A question, without whom it is put to. */
export const asked = (game: string, question: string): string => inWords([idOf(game, 'ask', question), {}])

/** Why a game ended. */
export const ending = (game: string, result: Record<string, any>): string => inWords([idOf(game, 'end', result.ended as string), result])

/** How it stands: what one is asked, or whom all wait for. */
export function standing(info: TableInfo, view: View | null, mine: boolean): string {
  if (!view?.question) return ''
  if (mine) return say('page-asked-you', { question: asked(info.game, view.question) })
  return say('page-asked-others', { names: listed(view.to_act.map((seat) => nameOf(info.places, seat))) })
}
