// The caches that are ours: other pages may have had this address, and others of these may lie beside this one.
export const KEPT = `diamonds ${new URL('./', location).pathname} `

/** Their names, in the order in which they were made. */
export const names = async () => (await caches.keys()).filter((name) => name.startsWith(KEPT))
