// Read a file in a browser.
export async function read(url) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${response.status}: ${url}`)
  return new Uint8Array(await response.arrayBuffer())
}
