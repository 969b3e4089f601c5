/** True if the client is a static site (`web/static-site/site.js`), which has no server. */
export const isStaticSite = 'here' in window
