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
export const wide = holds('(min-width: 860px) and (min-height: 600px)')
/** Room for the log beside the table. */
export const beside = holds('(min-width: 1160px)')
