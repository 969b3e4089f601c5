// Sounds of a table. The synthesizer (`soundSynthesis.ts`) is loaded with the first sound.
import { lazy } from '../client/lazy'
import type { EventInfo } from '../client/types'
import { changeSettings, settings } from './settings.svelte'
import type { SoundName } from './soundSynthesis'

/** Let be heard what was told, and then `more`. */
export function playSounds(told: readonly EventInfo[], ...more: SoundName[]): void {
  if (settings.sound) void lazy(() => import('./soundSynthesis')).then(({ playSound: play }) => play(told, more))
}

/** Sound on or off; when it comes on it is heard. */
export function toggleSound(): void {
  changeSettings({ sound: !settings.sound })
  playSounds([], 'yours')
}
