// The ids of local tables with a deal of the day.
const ID = /^own-(day|past)(\d{4})(\d\d)(\d\d)([a-z]+)_*$/

/** Return the id of the table on this device where a deal of the day is played. */
export const dailyTableId = (day: string, game: string): string => `own-day${day.replaceAll('-', '')}${game}`.padEnd(36, '_')

/** Return the id of the table on this device where a deal of an earlier day is played as practice. */
export const practiceTableId = (day: string, game: string): string => `own-past${day.replaceAll('-', '')}${game}`.padEnd(36, '_')

/** Return the deal played at a table, or `null`. */
export function dailyDealOf(id: string): { day: string; game: string; isPractice: boolean } | null {
  const [, kind, year, month, date, game] = ID.exec(id) ?? []
  return game ? { day: `${year}-${month}-${date}`, game, isPractice: kind === 'past' } : null
}
