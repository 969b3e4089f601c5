// The player's settings, stored in this browser.
import { lazy } from '../client/lazy'
import type { MessageId } from '../client/i18n.svelte'
import type { TableInfo } from '../client/types'
import type { Sorting } from './cards'

/** How fast a table's bots may answer, and what that is called. */
export const BOT_SPEEDS: [TableInfo['bot_speed'], MessageId][] = [['quick', 'page-bot-speed-fast'], ['steady', 'page-bot-speed-normal'], ['calm', 'page-bot-speed-slow']]

export interface Settings {
  /** A language's short name; empty for the browser's. */
  language: string
  theme: 'system' | 'light' | 'dark'
  trickSeconds: number
  sorting: Sorting
  /** Which forced moves are made for the player: none, steps of a turn, or cards, too. */
  autoPlay: 'never' | 'steps' | 'always'
  confirmTouch: boolean
  /** In which games the coach speaks. */
  coach: 'first' | 'always' | 'never'
  /** The games that want no coach any more: one of their kind was played to its end, or the coach was sent away. */
  coached: string[]
  sound: boolean
  motion: 'system' | 'less'
  /** The colours of the suits: the usual four, or four that are further apart, also for the colour-blind. */
  suits: 'usual' | 'apart'
  contrast: 'system' | 'more'
  cards: 'usual' | 'large'
  /** What is shown of what others say. */
  talk: TableInfo['chat_mode']
  /** Where games are played that one person plays against bots. */
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

/** Something kept in the browser; a broken or refused storage just forgets. */
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
    // A private window may refuse to store; the choice then lasts as long as the page.
  }
}

const stored = loadSetting<Partial<Settings>>('settings', {})
if (typeof stored.autoPlay === 'boolean') stored.autoPlay = stored.autoPlay ? 'always' : 'steps' // an earlier version's
export const settings: Settings = $state({ ...DEFAULTS, ...stored })

/** Change settings, show them and keep them. */
export function changeSettings(change: Partial<Settings>): void {
  Object.assign(settings, change)
  saveSetting('settings', settings)
  applyTheme()
}

/** Whether a game was begun in this browser, or ended: whoever has none to look back on is welcomed otherwise. */
export const hasPlayed = (): boolean => loadSetting('played', false) || loadSetting('own', false) || settings.coached.length > 0

/** A game of this kind was played, or wants no coach any more. */
export function stopCoaching(game: string): void {
  if (!settings.coached.includes(game)) changeSettings({ coached: [...settings.coached, game] })
}

const highContrast = matchMedia('(prefers-contrast: more)')
highContrast.onchange = applyTheme

/** Put the looks on the page's root, where the style sheets look for them. */
export function applyTheme(): void {
  const contrast = highContrast.matches ? 'more' : settings.contrast
  const { theme, motion, suits, cards } = settings
  Object.assign(document.documentElement.dataset, { theme, motion, suits, contrast, cards })
  if (suits === 'apart' || contrast === 'more' || cards === 'large') void lazy(() => import('./themes.css'))
}

/** Whether things should appear in their place instead of travelling there. */
export const isMotionReduced = (): boolean =>
  settings.motion === 'less' || matchMedia('(prefers-reduced-motion: reduce)').matches
