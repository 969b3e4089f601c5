// Time controls as short text.
import { minutesText } from '../client/variants'
import type { Clock } from '../client/types'
import { t } from '../client/i18n.svelte'

/** How much time a clock gives. */
export const timeControlText = ({ start, increment, days }: Clock): string =>
  days ? t('page-social-clock-days', { days }) : t('page-social-clock-live', { start: minutesText(start), increment })
