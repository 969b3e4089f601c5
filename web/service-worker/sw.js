// What runs beside the page, and when no page is open. It answers for the page's own addresses and files alone, and never for `/api`.
import './notifications.js'
import { keep, replyTo, tidy } from './offlineCache.js'

// It takes over at once: an open page goes on as it is, and finds its parts in what was kept before.
addEventListener('install', (event) => {
  skipWaiting()
  event.waitUntil(keep(event))
})
addEventListener('activate', (event) => event.waitUntil(Promise.all([clients.claim(), tidy()])))
addEventListener('fetch', (event) => {
  const reply = replyTo(event.request)
  if (reply) event.respondWith(reply)
})
