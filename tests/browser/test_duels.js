const request = (asked) => new Promise((found) => (asked.onsuccess = () => found(asked.result)))
const store = async (name) => request((await request(indexedDB.open('diamonds'))).transaction(name).objectStore(name).getAll())

/** Return the entries of the newest table on this device. */
export const readNewestEntries = async () => {
  const [newest] = (await store('tables')).sort((one, other) => other.created - one.created)
  return (await store('entries')).filter(({ id }) => id === newest.id).map(({ line }) => line)
}

/** Return all stored tables without their sealed parts. */
export const readTables = async () => (await store('tables')).map((table) => ({ ...table, duel: { ...table.duel, sealed: '' } }))

/** Return whether the shown link contains a name. */
export const linkHasName = async (name) => {
  const link = document.querySelector('input#link')?.value
  if (!link) return false
  const packed = Uint8Array.from(atob(link.replace(/.*=/, '').replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0)).slice(1)
  const text = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text()
  return text.includes(`"${name}"`)
}
