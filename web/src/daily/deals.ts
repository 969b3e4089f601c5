// The deals of the day and your games with them: from the server, or on a static site computed and stored on this device.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { ApiError, get, send } from '../client/api'
import { t } from '../client/i18n.svelte'
import { isStaticSite } from '../client/staticSite'
import { server } from '../client/serverInfo.svelte'
import type { DailyGameInfo, DailyResultCount, PastDaysResponse, PastDealResponse, TableCreatedResponse, TodayResponse } from '../client/types'
import { saveSetting } from '../components/settings.svelte'
import { BOT_LEVEL, DAILY_GAMES, FIRST_DAY, PLAYER_SEAT, dayBefore, dayOf, daysOfMonth, endOf, isPastDay, publicSecret, streak } from '../engine/dailyDeals'
import { dailyDealOf, dailyTableId, practiceTableId } from '../local/dailyTableIds'
import { withServer } from '../local'
import type { StoredTable } from '../local/localTableStore'

/** Place and points, or `null` if the game has not ended on its day. */
type Result = DailyGameInfo['result']

/** A deal of today, and your game with it. */
export interface Deal {
  game: string
  table: string | null
  finished: boolean
  result: Result
  /** The results of all who have finished, best first; set once you have finished. */
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
  const played = (await localGames()).filter(({ isPractice }) => !isPractice)
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

/** Return the games on this device that have a deal of the day, of today or earlier. */
const localGames = async () =>
  (await withServer((own) => own.list())).flatMap((table) => {
    const deal = dailyDealOf(table.id)
    return deal ? [{ ...deal, table: table.id, finished: table.over, result: resultOf(table) }] : []
  })

const resultOf = ({ outcome }: StoredTable): Result => outcome ?? null

/** Return a month of a game's past deals; without a month, the newest. */
export async function loadMonth(game: string, month: string): Promise<PastDaysResponse> {
  if (!isStaticSite) return await get<PastDaysResponse>(`/api/days?${new URLSearchParams({ game, ...(month && { month }) }).toString()}`)
  const today = dayOf(Date.now())
  const yesterday = dayBefore(today)
  const last = yesterday < FIRST_DAY ? FIRST_DAY : yesterday
  const shown = month || last.slice(0, 7)
  const days = daysOfMonth(shown, today)
  if (!DAILY_GAMES[game] || (month && !days.length)) throw new ApiError(404, t('page-today-no-day'))
  const games = await localGames()
  return {
    game, seats: DAILY_GAMES[game].seats, month: shown, first_day: FIRST_DAY, last_day: yesterday < FIRST_DAY ? null : yesterday,
    days: days.map((day) => ({ day, players: 0, ...localDeal(games, day, game) })),
  }
}

/** Return the player's two games with a deal on this device: the one of its day, and practice. */
function localDeal(games: Awaited<ReturnType<typeof localGames>>, day: string, game: string) {
  const [own, practice] = [false, true].map((isPractice) => games.find((one) => one.day === day && one.game === game && one.isPractice === isPractice))
  return { table: own?.table ?? null, finished: own?.finished ?? false, result: own?.result ?? null, practice: practice ?? null }
}

/** Return a deal of an earlier day. On a static site the results of others are unknown. */
export async function loadPastDeal(day: string, game: string): Promise<PastDealResponse> {
  if (!isStaticSite) return await get<PastDealResponse>(`/api/days/${encodeURIComponent(day)}/${encodeURIComponent(game)}`)
  const info = DAILY_GAMES[game]
  if (!info || !isPastDay(day, dayOf(Date.now()))) throw new ApiError(404, t('page-today-no-day'))
  const secret = publicSecret(day, game)
  return {
    day, game, seats: info.seats, options: info.options as Record<string, number>, level: BOT_LEVEL, commitment: bytesToHex(sha256(secret)), secret: bytesToHex(secret),
    ...localDeal(await localGames(), day, game), results: [], decisions: [],
  }
}

/** Create the table of today's deal; return its id. */
export const startDeal = async (day: string, game: string): Promise<string> =>
  isStaticSite ? await createLocal(day, game, dailyTableId(day, game)) : (await send<TableCreatedResponse>(`/api/today/${game}`, '{}')).id

/** Create the practice table of an earlier deal; return its id. */
export const startPractice = async (day: string, game: string): Promise<string> =>
  isStaticSite ? await createLocal(day, game, practiceTableId(day, game)) : (await send<TableCreatedResponse>(`/api/days/${day}/${game}`, '{}')).id

/** Create a table on this device with a deal; return its id. */
async function createLocal(day: string, game: string, id: string): Promise<string> {
  const { seats, options } = DAILY_GAMES[game]!
  const places = Array.from({ length: seats }, (_, seat) => (seat === PLAYER_SEAT ? 'me' : `bot:${BOT_LEVEL}`))
  const request = { game, seats, options, places, pace: 'steady' as const, name: server.info?.display_name ?? '' }
  const made = await withServer((own) => own.create(request, { id, secret: bytesToHex(publicSecret(day, game)), nonces: places.map(() => '') }))
  saveSetting('own', true) // the lobby lists it
  return made.id
}
