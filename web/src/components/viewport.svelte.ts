// What the window has room for.

/** Whether a media query holds, as state. */
function holds(query: string): { readonly current: boolean } {
  const media = matchMedia(query)
  let current = $state(media.matches)
  media.onchange = () => (current = media.matches)
  return {
    get current() {
      return current
    },
  }
}

/** Room for a round table. */
export const wide = holds('(min-width: 720px) and (min-height: 600px)')
/** Higher than broad. */
export const upright = holds('(max-aspect-ratio: 1)')
/** The smallest phones. */
export const narrow = holds('(max-width: 339px)')
/** A phone that has room for seven cards beside each other, not for eight. */
export const slim = holds('(max-width: 381px)')
/** A phone on its side. */
export const low = holds('(min-width: 600px) and (max-height: 520px)')
/** Room for the log beside the table. */
export const beside = holds('(min-width: 1160px)')
