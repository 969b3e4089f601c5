// Where we are: the address, as state.

/** A site without a house has its pages elsewhere than they think (`web/site/site.js`). */
const { here = location } = window as { here?: Pick<Location, 'pathname' | 'search' | 'hash'> }

export const place = $state({ path: here.pathname, query: here.search, hash: here.hash, game: gameLeft() })

/** The table that one left to look something up, as long as that is all one does. */
function gameLeft(): string {
  return (history.state as { game?: string } | null)?.game ?? ''
}

function read(): void {
  place.game = gameLeft()
  place.path = here.pathname
  place.query = here.search
  place.hash = here.hash
}

addEventListener('popstate', read)
addEventListener('hashchange', read)

/** Go to an address of this page without loading it anew. */
export function go(address: string, replace = false): void {
  const game = /^\/(rules|settings)/.test(address) ? (/^\/table\/[^/]+$/.test(place.path) ? place.path + place.query : place.game) : ''
  if (replace) history.replaceState(history.state, '', address)
  else history.pushState({ game }, '', address)
  read()
  if (!replace) scrollTo(0, 0)
}

/** A click on one of our own links stays in the page. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest('a')
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return
  if (link.pathname.startsWith('/api')) return
  event.preventDefault()
  go(link.pathname + link.search + link.hash)
}
