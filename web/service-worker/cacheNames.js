// Names of the caches of this client. Other pages may have had this address, and other clients may lie beside this one.
export const CACHE_PREFIX = `diamonds ${new URL('./', location).pathname} `

/** Return the names of its caches, the oldest first. */
export const cacheNames = async () => (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX))
