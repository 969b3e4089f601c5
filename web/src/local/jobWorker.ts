// The worker that runs jobs.
import { jobHandlers, type JobHandlers } from './jobs'
import { fetchFile, fetchManifest } from './wasmFiles'

export interface JobRequest {
  id: number
  kind: keyof JobHandlers
  args: unknown[]
}
/** `error` is empty on success. */
export interface JobResult {
  id: number
  result: unknown
  error: string
}

const handlers = jobHandlers(fetchManifest, fetchFile) as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>

addEventListener('message', ({ data: { id, kind: what, args: given } }: MessageEvent<JobRequest>) => {
  handlers[what]!(...given).then(
    (found) => postMessage({ id, result: found, error: '' } satisfies JobResult),
    (error: unknown) => postMessage({ id, result: null, error: String(error) } satisfies JobResult),
  )
})
