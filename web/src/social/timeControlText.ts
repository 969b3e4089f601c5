// Clocks in a few words, as they stand in lists.
import { minutes } from '../client/variants'
import type { Clock } from '../client/types'
import { say } from '../client/i18n.svelte'

/** How much time a clock gives. */
export const timed = ({ start, increment, days }: Clock): string =>
  days ? say('page-meet-clock-days', { days }) : say('page-meet-clock-live', { start: minutes(start), increment })
