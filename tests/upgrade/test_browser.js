// Fill the storage of the origin; called in one of its pages before the web client loads. Records must contain their
// own keys.
export const writeStorage = async ({ databases, local }) => {
  const done = (request) => new Promise((found, failed) => {
    request.onsuccess = () => found(request.result)
    request.onerror = () => failed(request.error)
  })
  for (const { name, version, stores } of databases) {
    const request = indexedDB.open(name, version)
    request.onupgradeneeded = () => {
      for (const store of stores) {
        const made = request.result.createObjectStore(store.name, { keyPath: store.keyPath })
        for (const record of store.records) made.add(record)
      }
    }
    ;(await done(request)).close()
  }
  for (const [name, value] of Object.entries(local)) localStorage.setItem(name, value)
}
