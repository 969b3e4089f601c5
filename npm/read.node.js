// Read a file in Node, from disk or over the network.
import { readFile } from 'node:fs/promises'
import { read as fetched } from './read.web.js'

export const read = async (url) => (url.protocol === 'file:' ? new Uint8Array(await readFile(url)) : await fetched(url))
