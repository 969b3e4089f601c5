// The service worker: caches the client and answers requests for its files. It never answers for `/api`.
import './notifications.js'
import { cacheClient, respond, deleteOldCaches } from './offlineCache.js'

// Take over immediately: open pages keep working because the previous version's cache stays.
addEventListener('install', (event) => {
  skipWaiting()
  event.waitUntil(cacheClient(event))
})
addEventListener('activate', (event) => event.waitUntil(Promise.all([clients.claim(), deleteOldCaches()])))
addEventListener('fetch', (event) => {
  const reply = respond(event.request)
  if (reply) event.respondWith(reply)
})
