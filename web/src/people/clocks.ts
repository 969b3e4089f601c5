// Clocks in a few words, as they stand in lists.
import { minutes } from '../net/variants'
import type { Clock } from '../net/types'
import { say } from '../net/words.svelte'

/** How much time a clock gives. */
export const timed = ({ start, increment, days }: Clock): string =>
  days ? say('page-meet-clock-days', { days }) : say('page-meet-clock-live', { start: minutes(start), increment })
