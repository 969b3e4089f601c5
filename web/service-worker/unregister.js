// What a house gives out as `sw.js` that wants nothing kept any more (`offline = false`): it lets go of all that was, and answers no request.
// It goes itself, where nobody has asked for messages.
import './notifications.js'
import { names } from './cacheNames.js'

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clear()))

async function clear() {
  await clients.claim()
  const kept = await names()
  await Promise.all(kept.map((name) => caches.delete(name)))
  if (kept.length && !(await registration.pushManager?.getSubscription())) await registration.unregister()
}
