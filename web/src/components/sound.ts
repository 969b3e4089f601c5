// What a table sounds like. The sounds come when they are wished for, and are made here; see `voices.ts`.
import { later } from '../client/lazy'
import type { Told } from '../client/types'
import { set, settings } from './settings.svelte'
import type { Voice } from './soundSynthesis'

/** Let be heard what was told, and then `more`. */
export function sound(told: readonly Told[], ...more: Voice[]): void {
  if (settings.sound) void later(() => import('./soundSynthesis')).then(({ play }) => play(told, more))
}

/** Sound on or off; when it comes on it is heard. */
export function toggleSound(): void {
  set({ sound: !settings.sound })
  sound([], 'yours')
}
