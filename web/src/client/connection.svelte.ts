// Whether there is a server, and whether it can be reached, as streams and requests notice it.

/** Whether the page is files alone (`web/static-site/site.js`): there is no server, and never will be. */
export const isStaticSite = 'here' in window

export const connection = $state({ away: false })

export const setAway = (away: boolean): void => void (connection.away = away && !isStaticSite)
