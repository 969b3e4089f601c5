// Deals of the day without a server: one deal per game and day (UTC), computed from the date, as in
// `diamonds.daily_deals`.
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import settings from '../../../src/diamonds/daily_deals.json'
import type { OptionValue } from '../client/options'

/** The players and options of each game. */
export const DAILY_GAMES: Record<string, { seats: number; options: Record<string, OptionValue> }> = settings.games
export const BOT_LEVEL = settings.level
export const PLAYER_SEAT = settings.seat
export const FIRST_DAY = settings.first_day

const DAY_MS = 86_400_000

/** Return the day of a time in UTC: `2026-11-26`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Return the time (ms) at which a day ends. */
export const endOf = (day: string): number => Date.parse(day) + DAY_MS

/** Return the day before a day. */
export const dayBefore = (day: string): string => dayOf(Date.parse(day) - DAY_MS)

/** Return whether a text is a day that had deals and has ended. */
export const isPastDay = (text: string, today: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && FIRST_DAY <= text && text < today && isDate(text)

/** Return whether a text such as `2026-11-26` is a day of the calendar. */
const isDate = (text: string): boolean => !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text

/** Return the days of a month, such as `2026-11`, that have ended, the last day first. */
export const daysOfMonth = (month: string, today: string): string[] =>
  Array.from({ length: 31 }, (_, k) => `${month}-${String(31 - k).padStart(2, '0')}`).filter((day) => isPastDay(day, today))

/** Return the months from day `first` to day `last`, newest first. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = last.slice(0, 7); month >= first.slice(0, 7); month = dayBefore(`${month}-01`).slice(0, 7)) months.push(month)
  return months
}

/** Return the number of consecutive days with a finished game, up to today or yesterday. */
export function streak(days: ReadonlySet<string>, today: string): number {
  let time = Date.parse(today)
  if (!days.has(today)) time -= DAY_MS
  let length = 0
  for (; days.has(dayOf(time)); time -= DAY_MS) length++
  return length
}

/** Return the secret of a deal. Anyone can compute it; all nonces are empty. */
export const publicSecret = (day: string, game: string): Uint8Array => sha256(utf8ToBytes(`diamonds day ${day} ${game}`))
