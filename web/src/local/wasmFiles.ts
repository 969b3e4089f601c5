// Download of the Wasm modules, which are beside the client's files.
import type { Manifest } from '../engine'

const FOLDER = import.meta.url.replace(/(.*\/)(assets|src)\/.*/, '$1engine/')

export async function fetchFile(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(FOLDER + name)
  if (!response.ok) throw new Error(`${response.status}: ${name}`)
  return new Uint8Array(await response.arrayBuffer())
}

export const fetchManifest = async (): Promise<Manifest> => JSON.parse(new TextDecoder().decode(await fetchFile('manifest.json'))) as Manifest
