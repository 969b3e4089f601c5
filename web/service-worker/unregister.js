// The service worker that a server sends instead when offline use is switched off (`offline = false`): it deletes all caches and answers no
// request. It unregisters itself unless this browser has a push subscription.
import './notifications.js'
import { cacheNames } from './cacheNames.js'

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(deleteCaches()))

async function deleteCaches() {
  await clients.claim()
  const ours = await cacheNames()
  await Promise.all(ours.map((name) => caches.delete(name)))
  if (ours.length && !(await registration.pushManager?.getSubscription())) await registration.unregister()
}
