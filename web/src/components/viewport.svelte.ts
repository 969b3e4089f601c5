// Media queries of the window as state.

/** Whether a media query holds, as state. */
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

/** Room for a round table. */
export const isWide = mediaQuery('(min-width: 720px) and (min-height: 600px)')
/** Higher than broad. */
export const isPortrait = mediaQuery('(max-aspect-ratio: 1)')
/** The smallest phones. */
export const isNarrow = mediaQuery('(max-width: 339px)')
/** A phone that has room for seven cards beside each other, not for eight. */
export const isSlim = mediaQuery('(max-width: 381px)')
/** A phone on its side. */
export const isLow = mediaQuery('(min-width: 600px) and (max-height: 520px)')
/** Room for the log beside the table. */
export const hasSidePanel = mediaQuery('(min-width: 1160px)')
