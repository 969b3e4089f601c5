// The deals of the day and your games with them: from the server, or on a static site computed and stored on this device.
import { bytesToHex } from '@noble/hashes/utils.js'
import { get, send } from '../client/api'
import { isStaticSite } from '../client/staticSite'
import { server } from '../client/serverInfo.svelte'
import type { DailyGameInfo, DailyResultCount, TableCreatedResponse, TodayResponse } from '../client/types'
import { saveSetting } from '../components/settings.svelte'
import { BOT_LEVEL, DAILY_GAMES, PLAYER_SEAT, dayOf, endOf, publicSecret, streak } from '../engine/dailyDeals'
import { dailyDealOf, dailyTableId } from '../local/dailyTableIds'
import { withServer } from '../local'
import type { StoredTable } from '../local/localTableStore'

/** A place and points, or `null` if the game has not ended on its day. */
type Result = DailyGameInfo['result']

/** A deal of today, and your game with it. */
export interface Deal {
  game: string
  table: string | null
  finished: boolean
  result: Result
  /** The results of all who have finished, once you have; best first. */
  results: DailyResultCount[]
}

export interface Today {
  day: string
  /** The time (ms) at which the next deals begin. */
  endsAt: number
  level: string
  seats: Record<string, number>
  deals: Deal[]
  streak: number
  past: DailyGameInfo[]
}

export const loadToday = (): Promise<Today> => (isStaticSite ? loadLocal() : loadFromServer())

async function loadFromServer(): Promise<Today> {
  const { day, ends_at, deals, ...rest } = await get<TodayResponse>('/api/today')
  return { day, endsAt: ends_at * 1000, level: deals[0]!.level, seats: Object.fromEntries(deals.map(({ game, seats }) => [game, seats])), deals, ...rest }
}

async function loadLocal(): Promise<Today> {
  const today = dayOf(Date.now())
  const played = (await withServer((own) => own.list())).flatMap((table) => {
    const deal = dailyDealOf(table.id)
    return deal ? [{ ...deal, table: table.id, finished: table.over, result: resultOf(table) }] : []
  })
  const deals = Object.keys(DAILY_GAMES).map((game) => {
    const own = played.find((one) => one.day === today && one.game === game)
    return { game, table: own?.table ?? null, finished: own?.finished ?? false, result: own?.result ?? null, results: [] }
  })
  return {
    day: today, endsAt: endOf(today), level: BOT_LEVEL, seats: Object.fromEntries(Object.entries(DAILY_GAMES).map(([game, { seats }]) => [game, seats])), deals,
    streak: streak(new Set(played.filter((one) => one.finished).map(({ day }) => day)), today),
    past: played.filter(({ day }) => day !== today).sort((a, b) => (a.day < b.day ? 1 : -1)),
  }
}

const resultOf = ({ outcome }: StoredTable): Result => outcome ?? null

/** Create the table of a deal; return its id. */
export async function startDeal(day: string, game: string): Promise<string> {
  if (!isStaticSite) return (await send<TableCreatedResponse>(`/api/today/${game}`, '{}')).id
  const { seats, options } = DAILY_GAMES[game]!
  const places = Array.from({ length: seats }, (_, seat) => (seat === PLAYER_SEAT ? 'me' : `bot:${BOT_LEVEL}`))
  const request = { game, seats, options, places, pace: 'steady' as const, name: server.info?.display_name ?? '' }
  const made = await withServer((own) => own.create(request, { id: dailyTableId(day, game), secret: bytesToHex(publicSecret(day, game)), nonces: places.map(() => '') }))
  saveSetting('own', true) // the lobby lists it
  return made.id
}
