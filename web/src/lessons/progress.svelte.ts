// Progress in each course, stored in this browser.
import { loadSetting, saveSetting } from '../components/settings.svelte'

let stored: Record<string, number> = $state(loadSetting<Record<string, number>>('lessons', {}))

export const progress = {
  /** Return the number of completed steps. */
  of: (course: string, steps: number): number => Math.max(0, Math.min(steps, Math.floor(Number(stored[course]) || 0))),
  /** Store the number of completed steps; it never decreases. */
  complete(course: string, done: number): void {
    if (done > (stored[course] ?? 0)) stored[course] = done
    saveSetting('lessons', stored)
  },
  reset(course: string): void {
    stored[course] = 0
    saveSetting('lessons', stored)
  },
}
