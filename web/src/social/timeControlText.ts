// Time controls as short text.
import { minutesText } from '../client/optionsText'
import type { TimeControlInfo } from '../client/types'
import { t } from '../client/i18n.svelte'

/** Return a time control as text. */
export const timeControlText = ({ initial_s: start, increment_s: increment, days_per_move: days }: TimeControlInfo): string =>
  days ? t('page-social-clock-days', { days }) : t('page-social-clock-live', { start: minutesText(start), increment })
