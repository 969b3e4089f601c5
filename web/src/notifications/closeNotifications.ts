// Messages on this device that have had their answer, wherever that was given, go away; so does the one of the table that is looked at.
import type { Turns } from '../client/types'

/** What the house has told last: of that alone it follows which messages are of use, also where it was told while this was under way. */
let newest: Turns

/** What the house tells of turns: no other message is of use any more. */
export async function closeAnswered(text: string): Promise<void> {
  newest = JSON.parse(text) as Turns
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration) return
  // Not while the service worker puts one up: Chromium would forget it, and a tap on it would lead nowhere.
  await navigator.locks.request('messages', async () => {
    for (const one of await registration.getNotifications()) {
      const looked = !document.hidden && location.pathname === `/table/${one.tag}`
      if (looked || !newest.turns.some((turn) => turn.table === one.tag)) one.close()
    }
  })
}
