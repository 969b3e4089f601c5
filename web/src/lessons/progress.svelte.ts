// How far one is in each course, kept in this browser.
import { recall, remember } from '../components/settings.svelte'

let kept: Record<string, number> = $state(recall<Record<string, number>>('lessons', {}))

export const progress = {
  /** How many of a course's steps are done. */
  of: (course: string, steps: number): number => Math.max(0, Math.min(steps, Math.floor(Number(kept[course]) || 0))),
  /** So many steps are done now; to go back undoes nothing. */
  reach(course: string, done: number): void {
    if (done > (kept[course] ?? 0)) kept[course] = done
    remember('lessons', kept)
  },
  anew(course: string): void {
    kept[course] = 0
    remember('lessons', kept)
  },
}
