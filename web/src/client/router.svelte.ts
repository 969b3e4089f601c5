// The router: the current address as state.

/** The current address. A static site, which may be in any folder, sets `window.here` (`web/static-site/site.js`). */
const { here: address = location } = window as { here?: Pick<Location, 'pathname' | 'search' | 'hash'> }

export const route = $state({ path: address.pathname, query: address.search, hash: address.hash, game: leftTable() })

/** Return the table that the player left for the rules or the settings, if any. */
function leftTable(): string {
  return (history.state as { game?: string } | null)?.game ?? ''
}

function readLocation(): void {
  route.game = leftTable()
  route.path = address.pathname
  route.query = address.search
  route.hash = address.hash
}

addEventListener('popstate', readLocation)
addEventListener('hashchange', readLocation)

/** Go to an address of the client without reloading. */
export function navigate(address: string, replace = false): void {
  const game = /^\/(rules|settings)/.test(address) ? (/^\/table\/[^/]+$/.test(route.path) ? route.path + route.query : route.game) : ''
  if (replace) history.replaceState(history.state, '', address)
  else history.pushState({ game }, '', address)
  readLocation()
  if (!replace) scrollTo(0, 0)
}

/** Handle clicks on internal links without leaving the page. */
export function onLinkClick(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest('a')
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return
  if (link.pathname.startsWith('/api')) return
  event.preventDefault()
  navigate(link.pathname + link.search + link.hash)
}
