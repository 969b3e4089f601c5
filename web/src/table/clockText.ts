// Clock times as digits and as spoken text.
import { t } from '../client/i18n.svelte'

const SECOND = 1000
const HOUR = 3_600_000
const DAY = 24 * HOUR
const twoDigits = (number: number) => String(number).padStart(2, '0')

/** Split milliseconds into hours, minutes and seconds, rounded up. */
function parts(left: number): [hours: number, minutes: number, seconds: number] {
  const seconds = Math.ceil(left / SECOND)
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
}

/** Return the digits of a clock: `4:37`, `1:02:00`; with days per move, `2 d 5 h` until only a day is left. */
export function clockDigits(left: number, byDays: boolean): string {
  const [hours, minutes, seconds] = parts(left)
  if (byDays && left >= DAY) return t('page-clock-days', { days: Math.floor(hours / 24), hours: hours % 24 })
  if (byDays && left >= HOUR) return t('page-clock-hours', { hours, minutes })
  return hours ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds)}` : `${minutes}:${twoDigits(seconds)}`
}

/** Return a time as spoken text: “4 minutes 37 seconds”. */
export function clockSpeech(left: number, byDays: boolean): string {
  const [hours, minutes, seconds] = parts(left)
  if (byDays && left >= HOUR) return t('page-clock-spoken-days', { days: Math.floor(hours / 24), hours: hours % 24 })
  return t('page-clock-spoken', { minutes: hours * 60 + minutes, seconds })
}
