// The caches that are ours: other pages may have had this address.
export const KEPT = 'diamonds '

/** Their names, in the order in which they were made. */
export const names = async () => (await caches.keys()).filter((name) => name.startsWith(KEPT))
