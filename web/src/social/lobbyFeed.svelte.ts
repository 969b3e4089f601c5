// The lobby as it is now: which tables can be joined or watched, and what is told to oneself alone.
import { Stream } from '../client/api'
import type { LobbyNews, LobbyTable, You } from '../client/types'

/** `none`: why there is nothing to be heard. */
export const live = $state({ tables: [] as LobbyTable[], more: 0, seeking: 0, you: null as You | null, none: '' })

/** Read the lobby, until the function that is given back is called. */
export function read(): () => void {
  const stream = new Stream<LobbyNews>('/api/lobby', heard, () => {}, (words) => (live.none = words))
  return () => stream.close()
}

/** All of it, or a change: what is new goes to the end, and all else stays where it is. */
function heard({ tables, put = [], gone = [], more, seeking, you }: LobbyNews): void {
  if (you) live.you = you
  if (more == null) return
  const known = tables ?? live.tables.filter((one) => !gone!.includes(one.id)).map((one) => put!.find((other) => other.id === one.id) ?? one)
  live.tables = [...known, ...put!.filter((one) => !known.some((other) => other.id === one.id))]
  live.more = more
  live.seeking = seeking ?? 0
}
