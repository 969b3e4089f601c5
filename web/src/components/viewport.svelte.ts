// Media queries of the window as state.

/** Return a media query as state. */
function mediaQuery(query: string): { readonly current: boolean } {
  const media = matchMedia(query)
  let current = $state(media.matches)
  media.onchange = () => (current = media.matches)
  return {
    get current() {
      return current
    },
  }
}

/** Enough space for a round table. */
export const isWide = mediaQuery('(min-width: 720px) and (min-height: 600px)')
/** Taller than wide. */
export const isPortrait = mediaQuery('(max-aspect-ratio: 1)')
/** The smallest phones. */
export const isNarrow = mediaQuery('(max-width: 339px)')
/** Phones wide enough for seven cards side by side, but not for eight. */
export const isSlim = mediaQuery('(max-width: 381px)')
/** Phones in landscape. */
export const isLow = mediaQuery('(min-width: 600px) and (max-height: 520px)')
/** Enough space for the log beside the table. */
export const hasSidePanel = mediaQuery('(min-width: 1160px)')
