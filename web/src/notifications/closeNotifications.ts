// The removal of notifications of answered turns and of the table on screen.
import type { TurnFeedUpdate } from '../client/types'

/** The latest turn feed. It decides which notifications are still useful, even if it arrives while others are being closed. */
let newest: TurnFeedUpdate

/** Close all notifications except those of open turns at tables that are not on screen. */
export async function closeAnswered(text: string): Promise<void> {
  newest = JSON.parse(text) as TurnFeedUpdate
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration) return
  // Wait while the service worker is showing a notification: Chromium would lose it, and tapping it would do nothing.
  await navigator.locks.request('messages', async () => {
    for (const one of await registration.getNotifications()) {
      const isOpen = !document.hidden && location.pathname === `/table/${one.tag}`
      if (isOpen || !newest.turns.some((turn) => turn.table === one.tag)) one.close()
    }
  })
}
