// Placement of a hint: the largest area of the window in which it covers nothing that it explains.

export interface ScreenRect {
  left: number
  top: number
  right: number
  bottom: number
}

const MIN_SIZE_PX: [number, number] = [280, 92] // enough for a sentence with buttons below it
const MIN_SENTENCE_PX = 50 // enough for a sentence without buttons
const MAX_SIZE_PX: [number, number] = [560, 240] // more space is useless
const MARGIN_PX = 4 // the distance from its neighbours

const size = (box: ScreenRect): [number, number] => [box.right - box.left, box.bottom - box.top]
const worth = (box: ScreenRect): number => size(box).reduce((area, side, k) => area * Math.min(side, MAX_SIZE_PX[k]!), 1)

/** Return the largest box in `within` that overlaps nothing. Among equally large ones, take the lowest, next to the hand. */
export function largestGap(within: ScreenRect, things: readonly ScreenRect[]): ScreenRect {
  const solid = things.map(({ left, top, right, bottom }) => ({ left: left - MARGIN_PX, top: top - MARGIN_PX, right: right + MARGIN_PX, bottom: bottom + MARGIN_PX }))
  const lines = [...new Set([within.top, within.bottom, ...solid.flatMap(({ top, bottom }) => [top, bottom])])]
    .filter((y) => y >= within.top && y <= within.bottom)
    .sort((a, b) => a - b)
  let best = { ...within, top: within.bottom }
  for (const [k, top] of lines.entries()) {
    for (const bottom of lines.slice(k + 1)) {
      const there = solid.filter((thing) => thing.top < bottom && thing.bottom > top).sort((a, b) => a.left - b.left)
      let left = within.left
      for (const thing of [...there, { left: within.right, right: within.right }]) {
        const gap = { left, top, right: Math.min(thing.left, within.right), bottom }
        if (gap.right > gap.left && worth(gap) >= worth(best)) best = gap
        left = Math.max(left, thing.right)
      }
    }
  }
  return best
}

/** Return the box at the lower edge of `within` that overlaps nothing, on its left or right side; `null` if it would be too small. */
export function placeAbove(within: ScreenRect, things: readonly ScreenRect[], side: 'left' | 'right'): ScreenRect | null {
  const width = Math.min(MAX_SIZE_PX[0], within.right - within.left)
  const found = side === 'left' ? { ...within, right: within.left + width } : { ...within, left: within.right - width }
  const beside = things.filter((one) => one.left < found.right && one.right > found.left)
  for (const one of beside) if (one.top < found.bottom && one.bottom >= found.bottom) found.bottom = one.top - MARGIN_PX
  for (const one of beside) if (one.top < found.bottom) found.top = Math.max(found.top, one.bottom + MARGIN_PX)
  found.top = Math.max(found.top, found.bottom - MAX_SIZE_PX[1])
  return size(found)[1] >= MIN_SENTENCE_PX ? found : null
}

/** Return the largest box that also avoids as many optional groups as possible, in order of priority. */
export function placeHint(within: ScreenRect, things: readonly ScreenRect[], rather: readonly ScreenRect[][]): ScreenRect {
  for (let count = rather.length; ; count--) {
    const best = largestGap(within, [...things, ...rather.slice(0, count).flat()])
    if (count === 0 || size(best).every((side, k) => side >= MIN_SIZE_PX[k]!)) return best
  }
}
