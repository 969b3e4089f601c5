// The review of a finished game: polled until the server has finished it, and put into words.
import { get, sleep } from './api'
import { t } from './i18n.svelte'
import type { JudgedDecisionInfo, MessageRef, PendingResponse, ReviewResponse } from './types'

/** Poll a review until it is finished or `isGone` returns true. `onProgress` receives each progress report; `recover` handles a failed request. */
export async function fetchReview(
  path: string,
  isGone: () => boolean,
  onProgress: (progress: PendingResponse) => void,
  recover?: (error: unknown) => Promise<unknown>,
): Promise<ReviewResponse | null> {
  while (!isGone()) {
    const answer = await get<ReviewResponse | PendingResponse>(path).catch(async (error: unknown) => {
      if (!recover) throw error
      await recover(error)
      return null
    })
    if (answer && 'results' in answer) return answer
    if (answer) onProgress(answer)
    await sleep(700)
  }
  return null
}

/** Return a judged answer, the better one and the reasons as text. */
export function judgementText(one: JudgedDecisionInfo, textOf: (says: MessageRef) => string): string {
  const [answer, best, reasons] = [textOf(one.text), textOf(one.best), one.reasons.map(textOf).join('; ')]
  return reasons ? t('page-review-better-because', { answer, best, reasons }) : t('page-review-better', { answer, best })
}
