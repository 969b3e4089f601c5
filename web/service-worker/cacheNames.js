// Names of this client's caches. The prefix contains the client's folder, because other pages and clients may share the origin.
export const CACHE_PREFIX = `diamonds ${new URL('./', location).pathname} `

/** Return the names of this client's caches, oldest first. */
export const cacheNames = async () => (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX))
