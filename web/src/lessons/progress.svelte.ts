// Progress in each course, stored in this browser.
import { loadSetting, saveSetting } from '../components/settings.svelte'

let stored: Record<string, number> = $state(loadSetting<Record<string, number>>('lessons', {}))

export const progress = {
  /** How many of a course's steps are done. */
  of: (course: string, steps: number): number => Math.max(0, Math.min(steps, Math.floor(Number(stored[course]) || 0))),
  /** So many steps are done now; to go back undoes nothing. */
  complete(course: string, done: number): void {
    if (done > (stored[course] ?? 0)) stored[course] = done
    saveSetting('lessons', stored)
  },
  reset(course: string): void {
    stored[course] = 0
    saveSetting('lessons', stored)
  },
}
