// Dates and times for moderators, and the durations of sanctions.
import { language } from '../client/i18n.svelte'

/** Format a time in seconds since 1970. */
export const formatTime = (seconds: number): string =>
  new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(seconds * 1000))

export const formatDay = (days: number): string => new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(new Date(days * 86_400_000))

/** An hour, a day, a week, a month, a year; in hours. */
export const DURATIONS_H = [1, 24, 168, 720, 8760] as const
