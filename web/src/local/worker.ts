// A worker that thinks: what is asked comes in, what was found goes out.
import { deeds, type Deeds } from './jobs'
import { file, manifest } from './wasmFiles'

export interface Asked {
  id: number
  what: keyof Deeds
  given: unknown[]
}
/** `why` is empty where something was found. */
export interface Thought {
  id: number
  found: unknown
  why: string
}

const all = deeds(manifest, file) as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>

addEventListener('message', ({ data: { id, what, given } }: MessageEvent<Asked>) => {
  all[what]!(...given).then(
    (found) => postMessage({ id, found, why: '' } satisfies Thought),
    (error: unknown) => postMessage({ id, found: null, why: String(error) } satisfies Thought),
  )
})
