// Differences between answers in plain words. Loaded with hints and reviews.
import { formatNumber, t } from '../client/i18n.svelte'

/** Return a difference in plain words: points to the nearest half (`about half a point`), chances in percent. */
export function amountText(value: number, unit: '%' | 'points'): string {
  const halves = Math.round(2 * value)
  return unit === '%' ? t('page-percent-chance', { amount: formatNumber(value, 0) }) : t('page-points', { halves, amount: formatNumber(halves / 2, halves % 2) })
}
