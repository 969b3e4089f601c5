// The live lobby: tables to join or watch, and your own part.
import { EventStream } from '../client/api'
import type { ListedSeekInfo, LobbyTableInfo, LobbyUpdate, PersonalLobbyInfo } from '../client/types'

/** `isLoaded` is true while the lists are current; `unavailable` is the reason why there is no lobby. */
export const lobby = $state({ isLoaded: false, tables: [] as LobbyTableInfo[], more: 0, seeking: 0, here: 0, seeks: [] as ListedSeekInfo[], you: null as PersonalLobbyInfo | null, unavailable: '' })

/** Follow the lobby; return a function that stops. */
export function followLobby(): () => void {
  const stream = new EventStream<LobbyUpdate>('/api/lobby', onUpdate, (online) => (lobby.isLoaded &&= online), (text) => (lobby.unavailable = text))
  return () => stream.close()
}

/** Apply an update: a full list, or changes. New rows are appended, and the others keep their places. */
function onUpdate({ tables, upserted: put = [], removed: gone = [], hidden_count: more, seek_count: seeking, people_count: here, seeks, personal: you }: LobbyUpdate): void {
  if (you) lobby.you = you
  if (more == null) return
  const known = tables ?? lobby.tables.filter((one) => !gone!.includes(one.id)).map((one) => put!.find((other) => other.id === one.id) ?? one)
  lobby.tables = [...known, ...put!.filter((one) => !known.some((other) => other.id === one.id))]
  lobby.more = more
  lobby.seeking = seeking ?? 0
  lobby.here = here ?? 0
  lobby.seeks = seeks ?? lobby.seeks
  lobby.isLoaded = true
}
