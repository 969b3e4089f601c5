// A record in a link: compressed, behind the `#`, where no server sees it. The first byte is the version of the form.
import { isStaticSite } from './staticSite'

const KEY = 'record='
const VERSION = 1
/** Longer links are cut by mail programs and messengers. */
const MAX_FRAGMENT_CHARS = 8000
/** The longest record that is opened, as on a server; a hostile link inflates a thousandfold. */
const MAX_RECORD_BYTES = 2_000_000

export class RecordLinkError extends Error {
  constructor(readonly reason: 'damaged' | 'newer') {
    super(reason)
  }
}

/** Whether an address has a record behind its `#`. */
export const hasRecord = (hash: string): boolean => hash.startsWith(`#${KEY}`)

/** Return the link to a record, or `null` if it is too long for one. Times, and what the record is called on this device, are left out. */
export async function recordLink(record: Record<string, unknown>): Promise<string | null> {
  const { times: _times, own: _own, ...shared } = record
  const packed = await transform(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream('deflate-raw'), Infinity)
  const fragment = KEY + toBase64Url(Uint8Array.of(VERSION, ...packed))
  if (fragment.length > MAX_FRAGMENT_CHARS) return null
  return `${isStaticSite ? `${location.origin}${location.pathname}?` : location.origin}/record#${fragment}`
}

/** Return the text of the record behind the `#` of an address. Throw a `RecordLinkError` if there is none that can be read. */
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

/** Pass bytes through a stream; no more than a limit is kept, or computed for long. */
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
