// The player's settings, stored in this browser.
import { lazy } from '../client/lazyLoad'
import type { MessageId } from '../client/i18n.svelte'
import type { TableInfo } from '../client/types'
import type { Sorting } from './cards'

/** Bot speeds and their labels. */
export const BOT_SPEEDS: [TableInfo['bot_speed'], MessageId][] = [['quick', 'page-bot-speed-fast'], ['steady', 'page-bot-speed-normal'], ['calm', 'page-bot-speed-slow']]

export interface Settings {
  /** A language code; empty for the browser's language. */
  language: string
  theme: 'system' | 'light' | 'dark'
  trickSeconds: number
  sorting: Sorting
  /** The forced moves that are made automatically: none, steps within a turn, or cards as well. */
  autoPlay: 'never' | 'steps' | 'always'
  confirmTouch: boolean
  /** The games in which the coach gives tips. */
  coach: 'first' | 'always' | 'never'
  /** Games in which the coach `first` gives no more tips, because one was finished. */
  coached: string[]
  sound: boolean
  motion: 'system' | 'less'
  /** Suit colours: the usual four, or four that are easier to distinguish, even with colour blindness. */
  suits: 'usual' | 'apart'
  contrast: 'system' | 'more'
  cards: 'usual' | 'large'
  /** The chat messages that are shown. */
  talk: TableInfo['chat_mode']
  /** The place where games against bots are played: this device or the server. */
  bots: 'device' | 'house'
}

const DEFAULTS: Settings = {
  language: '',
  theme: 'system',
  trickSeconds: 1.2,
  sorting: 'suit',
  autoPlay: 'steps',
  confirmTouch: false,
  coach: 'first',
  coached: [],
  sound: false,
  motion: 'system',
  suits: 'usual',
  contrast: 'system',
  cards: 'usual',
  talk: 'all',
  bots: 'device',
}

/** Load a value from the browser's storage; return the fallback if the storage is unavailable or damaged. */
export function loadSetting<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`diamonds.${name}`)
    return text === null ? otherwise : (JSON.parse(text) as T)
  } catch {
    return otherwise
  }
}

export function saveSetting(name: string, value: unknown): void {
  try {
    localStorage.setItem(`diamonds.${name}`, JSON.stringify(value))
  } catch {
    // Private windows may refuse storage; the choice then lasts only as long as the page.
  }
}

const stored = loadSetting<Partial<Settings>>('settings', {})
if (typeof stored.autoPlay === 'boolean') stored.autoPlay = stored.autoPlay ? 'always' : 'steps' // format of an earlier version
export const settings: Settings = $state({ ...DEFAULTS, ...stored })

/** Change settings, apply and store them. */
export function changeSettings(change: Partial<Settings>): void {
  Object.assign(settings, change)
  saveSetting('settings', settings)
  applyTheme()
}

/** Return whether a game was started or finished in this browser. Without one, the welcome is shown. */
export const hasPlayed = (): boolean => loadSetting('played', false) || loadSetting('own', false) || settings.coached.length > 0

/** Turn off the coach for a game. */
export function stopCoaching(game: string): void {
  if (!settings.coached.includes(game)) changeSettings({ coached: [...settings.coached, game] })
}

const highContrast = matchMedia('(prefers-contrast: more)')
highContrast.onchange = applyTheme

/** Set the theme on the root element for the style sheets. */
export function applyTheme(): void {
  const contrast = highContrast.matches ? 'more' : settings.contrast
  const { theme, motion, suits, cards } = settings
  Object.assign(document.documentElement.dataset, { theme, motion, suits, contrast, cards })
  if (suits === 'apart' || contrast === 'more' || cards === 'large') void lazy(() => import('./themes.css'))
}

/** Return whether motion is reduced, by the settings or by the system. */
export const isMotionReduced = (): boolean =>
  settings.motion === 'less' || matchMedia('(prefers-reduced-motion: reduce)').matches
