// Whether the server can be reached, as streams and requests notice it.
import { isStaticSite } from './staticSite'

export const connection = $state({ away: false })

export const setAway = (away: boolean): void => void (connection.away = away && !isStaticSite)
