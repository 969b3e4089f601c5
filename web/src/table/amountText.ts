// Differences between answers in plain words; loaded with hints and reviews.
import { formatNumber, t } from '../client/i18n.svelte'

/** A difference in plain words: points to the nearest half (`about half a point`), chances in per cent. */
export function amountText(value: number, unit: '%' | 'points'): string {
  const halves = Math.round(2 * value)
  return unit === '%' ? t('page-percent-chance', { amount: formatNumber(value, 0) }) : t('page-points', { halves, amount: formatNumber(halves / 2, halves % 2) })
}
