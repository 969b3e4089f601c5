// What a player prefers, kept in this browser.
import { later } from '../client/lazy'
import type { Id } from '../client/i18n.svelte'
import type { TableInfo } from '../client/types'
import type { Sorting } from './cards'

/** How fast a table's bots may answer, and what that is called. */
export const PACES: [TableInfo['pace'], Id][] = [['quick', 'page-pace-quick'], ['steady', 'page-pace-steady'], ['calm', 'page-pace-calm']]

export interface Settings {
  /** A language's short name; empty for the browser's. */
  language: string
  theme: 'system' | 'light' | 'dark'
  trickSeconds: number
  sorting: Sorting
  autoPlay: boolean
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
  talk: TableInfo['talk']
  /** Where games are played that one person plays against bots. */
  bots: 'device' | 'house'
}

const DEFAULTS: Settings = {
  language: '',
  theme: 'system',
  trickSeconds: 1.2,
  sorting: 'suit',
  autoPlay: false,
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
export function recall<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`diamonds.${name}`)
    return text === null ? otherwise : (JSON.parse(text) as T)
  } catch {
    return otherwise
  }
}

export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(`diamonds.${name}`, JSON.stringify(value))
  } catch {
    // A private window may refuse to store; the choice then lasts as long as the page.
  }
}

export const settings: Settings = $state({ ...DEFAULTS, ...recall<Partial<Settings>>('settings', {}) })

/** Change settings, show them and keep them. */
export function set(change: Partial<Settings>): void {
  Object.assign(settings, change)
  remember('settings', settings)
  dress()
}

/** A game of this kind was played, or wants no coach any more. */
export function met(game: string): void {
  if (!settings.coached.includes(game)) set({ coached: [...settings.coached, game] })
}

const strong = matchMedia('(prefers-contrast: more)')
strong.onchange = dress

/** Put the looks on the page's root, where the style sheets look for them. */
export function dress(): void {
  const contrast = strong.matches ? 'more' : settings.contrast
  const { theme, motion, suits, cards } = settings
  Object.assign(document.documentElement.dataset, { theme, motion, suits, contrast, cards })
  if (suits === 'apart' || contrast === 'more' || cards === 'large') void later(() => import('./themes.css'))
}

/** Whether things should appear in their place instead of travelling there. */
export const still = (): boolean =>
  settings.motion === 'less' || matchMedia('(prefers-reduced-motion: reduce)').matches
