// Closes notifications that are answered, and those of the table on screen.
import type { TurnFeedUpdate } from '../client/types'

/** What the server has told last: of that alone it follows which messages are of use, also where it was told while this was under way. */
let newest: TurnFeedUpdate

/** What the server tells of turns: no other message is of use any more. */
export async function closeAnswered(text: string): Promise<void> {
  newest = JSON.parse(text) as TurnFeedUpdate
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration) return
  // Not while the service worker puts one up: Chromium would forget it, and a tap on it would lead nowhere.
  await navigator.locks.request('messages', async () => {
    for (const one of await registration.getNotifications()) {
      const isOpen = !document.hidden && location.pathname === `/table/${one.tag}`
      if (isOpen || !newest.turns.some((turn) => turn.table === one.tag)) one.close()
    }
  })
}
