// Return everything that the origin stores, except cached files of the program.
export const readStorage = async () => {
  const done = (request) => new Promise((found, failed) => {
    request.onsuccess = () => found(request.result)
    request.onerror = () => failed(request.error)
  })
  const databases = []
  for (const { name, version } of await indexedDB.databases()) {
    const base = await done(indexedDB.open(name, version))
    const stores = []
    for (const store of base.objectStoreNames) {
      const all = base.transaction(store).objectStore(store)
      stores.push({ name: store, keyPath: all.keyPath, records: await done(all.getAll()) })
    }
    base.close()
    databases.push({ name, version, stores })
  }
  return { databases, local: { ...localStorage }, session: { ...sessionStorage } }
}
