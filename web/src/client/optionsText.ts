// Options that differ from their defaults, as text.
import { server } from './serverInfo.svelte'
import { defaultValue, type OptionValue } from './options'
import type { GameOptionInfo, TableInfo } from './types'
import { t } from './i18n.svelte'

/** Return the label of an option's value. */
export const optionLabel = (option: GameOptionInfo, value: OptionValue): string => option.value_labels[String(value)] ?? String(value)

const optionsOf = (game: string): GameOptionInfo[] => server.info?.games.find((one) => one.name === game)?.options ?? []

/** Return an option with its value: “no memory aid”, “target 20”. Options unknown to this server appear unchanged. */
export function optionText(game: string, name: string, value: OptionValue): string {
  const known = optionsOf(game).find((one) => one.name === name)
  const option = known?.title ?? name.replaceAll('_', ' ')
  if (value === true || value === 'on') return option
  return value === false || value === 'off' ? t('page-waiting-off', { option }) : t('page-waiting-value', { option, value: known ? optionLabel(known, value) : String(value) })
}

/** List all options that differ from their defaults: “partnership, no memory aid, target 20”. */
export const variantText = (info: Pick<TableInfo, 'game' | 'seats' | 'options'>): string =>
  optionsOf(info.game)
    .filter((one) => info.options[one.name] !== defaultValue(one, info.seats, (other) => info.options[other]))
    .map((one) => optionText(info.game, one.name, info.options[one.name]!))
    .join(', ')

/** Format seconds as minutes and seconds: `2:30`. */
export const minutesText = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
