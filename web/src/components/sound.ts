// Sounds of the table. The synthesizer (`soundSynthesis.ts`) is loaded with the first sound.
import { lazy } from '../client/lazyLoad'
import type { EventInfo } from '../client/types'
import { changeSettings, settings } from './settings.svelte'
import type { SoundName } from './soundSynthesis'

/** Play the sounds of events, then `more`. */
export function playSounds(told: readonly EventInfo[], ...more: SoundName[]): void {
  if (settings.sound) void lazy(() => import('./soundSynthesis')).then(({ playSound: play }) => play(told, more))
}

/** Toggle the sound; play a sample when it is turned on. */
export function toggleSound(): void {
  changeSettings({ sound: !settings.sound })
  playSounds([], 'yours')
}
