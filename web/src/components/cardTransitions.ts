// Card transitions: from a hand or seat to the trick, and from the trick to its winner.
import { cubicOut } from 'svelte/easing'
import type { TransitionConfig } from 'svelte/transition'
import { isMotionReduced } from './settings.svelte'

/** The last position of each card that has left its place and not yet arrived. */
const departures = new Map<string, DOMRect>()

/** Return the box of a named spot on the table. */
export const spotBox = (name: string): DOMRect | undefined =>
  document.querySelector(`[data-spot="${name}"]`)?.getBoundingClientRect()

/** Return the zoom factor, because boxes are measured in screen pixels but transforms use page pixels. */
export const zoom = (): number => Number(getComputedStyle(document.documentElement).getPropertyValue('--zoom')) || 1

function glide(node: Element, place: DOMRect | undefined, duration: number, shrink: number): TransitionConfig {
  if (isMotionReduced() || !place) return { duration: 0 }
  const here = node.getBoundingClientRect()
  const x = (place.x + place.width / 2 - here.x - here.width / 2) / zoom()
  const y = (place.y + place.height / 2 - here.y - here.height / 2) / zoom()
  const base = getComputedStyle(node).transform
  const own = base === 'none' ? '' : base
  return {
    duration,
    easing: cubicOut,
    css: (t, u) =>
      `transform: translate(${u * x}px, ${u * y}px) ${own} scale(${1 - u * shrink}); opacity: ${Math.min(1, t * 2)}`,
  }
}

/** Take a card away; it reappears at its destination. */
export function fly(node: Element, { key }: { key: string }): TransitionConfig {
  departures.set(key, node.getBoundingClientRect())
  setTimeout(() => departures.delete(key), 400)
  return { duration: 0 }
}

/** Move a card in from its last position, or from a spot on the table. */
export const land =
  (node: Element, { key, from }: { key: string; from: string }): (() => TransitionConfig) =>
  () => {
    const place = departures.get(key)
    departures.delete(key)
    return place ? glide(node, place, 260, 0) : glide(node, spotBox(from), 320, 0.4)
  }

/** Sweep a finished trick to its winner. */
export const collectTrick = (node: Element, { to }: { to: string }): TransitionConfig => glide(node, spotBox(to), 380, 0.6)
