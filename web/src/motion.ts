// How cards travel: from the hand to the trick, from a player to the trick, from the trick to who won it.
import { cubicOut } from 'svelte/easing'
import { crossfade, type TransitionConfig } from 'svelte/transition'
import { still } from './settings.svelte'

const spot = (name: string): DOMRect | undefined =>
  document.querySelector(`[data-spot="${name}"]`)?.getBoundingClientRect()

/** From the middle of one box to the middle of another. */
function between(from: DOMRect, to: DOMRect): [number, number] {
  return [from.x + from.width / 2 - to.x - to.width / 2, from.y + from.height / 2 - to.y - to.height / 2]
}

function glide(node: Element, target: string, duration: number, shrink: number): TransitionConfig {
  const place = spot(target)
  if (still() || !place) return { duration: 0 }
  const [x, y] = between(place, node.getBoundingClientRect())
  const base = getComputedStyle(node).transform
  const own = base === 'none' ? '' : base
  return {
    duration,
    easing: cubicOut,
    css: (t, u) => `transform: translate(${u * x}px, ${u * y}px) ${own} scale(${1 - u * shrink}); opacity: ${Math.min(1, t * 2)}`,
  }
}

/** A card that was in the hand moves from there; another's card comes from that player's place. */
const [leave, arrive] = crossfade({
  duration: () => (still() ? 0 : 260),
  easing: cubicOut,
  fallback: (node, params, intro) =>
    intro && 'from' in params ? glide(node, String(params.from), 320, 0.4) : { duration: 0 },
})

type Way = (node: Element, params: { key: string; from?: string }) => () => TransitionConfig
/** For where a card leaves from, and for where it arrives; `from` is the spot of a card that was not seen before. */
export const send = leave as Way
export const receive = arrive as Way

/** A finished trick is swept to its winner. */
export const sweep = (node: Element, { to }: { to: string }): TransitionConfig => glide(node, to, 380, 0.6)
