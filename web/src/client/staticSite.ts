/** Whether the page is files alone (`web/static-site/site.js`): there is no server, and never will be. */
export const isStaticSite = 'here' in window
