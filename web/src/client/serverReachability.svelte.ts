// The reachability of the server, as observed by streams and requests.
import { isStaticSite } from './staticSite'

export const connection = $state({ away: false })

export const setAway = (away: boolean): void => void (connection.away = away && !isStaticSite)
