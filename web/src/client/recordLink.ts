// Records in links: compressed, in the fragment, which is never sent to a server. The first byte is the format version.
import { isStaticSite } from './staticSite'

const VERSION = 1
/** Mail programs and messengers cut off longer links. */
const MAX_FRAGMENT_CHARS = 8000
/** The limit for records, as on a server, because a hostile link may expand a thousandfold. */
const MAX_RECORD_BYTES = 2_000_000

export class RecordLinkError extends Error {
  constructor(readonly reason: 'damaged' | 'newer') {
    super(reason)
  }
}

/** Return whether a fragment contains data under this key. */
export const hasRecord = (hash: string, key = 'record'): boolean => hash.startsWith(`#${key}=`)

/** Return a link to a record, or `null` if it would be too long. It omits times and the record's name on this device. */
export function recordLink(record: Record<string, unknown>): Promise<string | null> {
  const { times: _times, own: _own, ...shared } = record
  return linkWith('/record', 'record', shared)
}

/** Return the address of a page of this client. */
export const addressOf = (page: string): string => `${isStaticSite ? `${location.origin}${location.pathname}?` : location.origin}${page}`

/** Return a link to a page with data in its fragment, or `null` if it would be too long. */
export async function linkWith(page: string, key: string, data: object): Promise<string | null> {
  const fragment = `${key}=${toBase64Url(Uint8Array.of(VERSION, ...(await deflate(JSON.stringify(data)))))}`
  if (fragment.length > MAX_FRAGMENT_CHARS) return null
  return `${addressOf(page)}#${fragment}`
}

/** Return the text of the JSON object in a fragment. Throw a `RecordLinkError` if there is none or it is damaged. */
export async function recordFromHash(hash: string, key = 'record'): Promise<string> {
  const text = hash.slice(key.length + 2)
  if (!hasRecord(hash, key) || hash.length > 1 + MAX_FRAGMENT_CHARS || !/^[\w-]+$/.test(text)) throw new RecordLinkError('damaged')
  try {
    const [version, ...packed] = fromBase64Url(text)
    if (version! > VERSION) throw new RecordLinkError('newer')
    const record = await inflate(Uint8Array.from(packed))
    const data: unknown = JSON.parse(record)
    if (version === VERSION && typeof data === 'object' && data && !Array.isArray(data)) return record
  } catch (error) {
    if (error instanceof RecordLinkError) throw error
  }
  throw new RecordLinkError('damaged')
}

export const deflate = (text: string): Promise<Uint8Array<ArrayBuffer>> => transform(new TextEncoder().encode(text), new CompressionStream('deflate-raw'), Infinity)

/** Return the text of deflated bytes. Throw an error if they are damaged or the text is too long. */
export const inflate = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  new TextDecoder('utf-8', { fatal: true }).decode(await transform(bytes, new DecompressionStream('deflate-raw'), MAX_RECORD_BYTES))

/** Pass bytes through a compression stream; stop at the size limit. */
async function transform(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer())
    chunks.push(value as Uint8Array<ArrayBuffer>)
    size += value.length
    if (size > limit) {
      await reader.cancel()
      throw new RecordLinkError('damaged')
    }
  }
}

export const toBase64Url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
export const fromBase64Url = (text: string): number[] => Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
