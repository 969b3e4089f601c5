// Records in links: compressed, in the fragment, which is never sent to a server. The first byte is the format version.
import { isStaticSite } from './staticSite'

const KEY = 'record='
const VERSION = 1
/** Mail programs and messengers cut longer links. */
const MAX_FRAGMENT_CHARS = 8000
/** The limit for records, as on a server; a hostile link may expand a thousandfold. */
const MAX_RECORD_BYTES = 2_000_000

export class RecordLinkError extends Error {
  constructor(readonly reason: 'damaged' | 'newer') {
    super(reason)
  }
}

/** Return whether a fragment contains a record. */
export const hasRecord = (hash: string): boolean => hash.startsWith(`#${KEY}`)

/** Return a link to a record, or `null` if it would be too long. It omits times and the record's name on this device. */
export async function recordLink(record: Record<string, unknown>): Promise<string | null> {
  const { times: _times, own: _own, ...shared } = record
  const packed = await transform(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream('deflate-raw'), Infinity)
  const fragment = KEY + toBase64Url(Uint8Array.of(VERSION, ...packed))
  if (fragment.length > MAX_FRAGMENT_CHARS) return null
  return `${isStaticSite ? `${location.origin}${location.pathname}?` : location.origin}/record#${fragment}`
}

/** Return the record in a fragment as text. Throw a `RecordLinkError` if there is none or it is damaged. */
export async function recordFromHash(hash: string): Promise<string> {
  const text = hash.slice(1 + KEY.length)
  if (!hasRecord(hash) || hash.length > 1 + MAX_FRAGMENT_CHARS || !/^[\w-]+$/.test(text)) throw new RecordLinkError('damaged')
  try {
    const [version, ...packed] = fromBase64Url(text)
    if (version! > VERSION) throw new RecordLinkError('newer')
    const inflated = await transform(Uint8Array.from(packed), new DecompressionStream('deflate-raw'), MAX_RECORD_BYTES)
    const record = new TextDecoder('utf-8', { fatal: true }).decode(inflated)
    const data: unknown = JSON.parse(record)
    if (version === VERSION && typeof data === 'object' && data && !Array.isArray(data)) return record
  } catch (error) {
    if (error instanceof RecordLinkError) throw error
  }
  throw new RecordLinkError('damaged')
}

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

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const fromBase64Url = (text: string): number[] => Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
