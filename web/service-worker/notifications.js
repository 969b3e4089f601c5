// Push notifications that it is your turn. They appear while no page shows the table, and a tap opens it.
addEventListener('push', (event) => event.waitUntil(showNotification(event.data.json())))
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openTable(event.notification.tag))
})

const openPages = () => clients.matchAll({ type: 'window', includeUncontrolled: true })
const path = (page) => new URL(page.url).pathname

async function showNotification({ table, title, text }) {
  const isOpen = (await openPages()).some((page) => page.visibilityState === 'visible' && page.focused && path(page) === `/table/${table}`)
  // Chromium forgets a message that a page asks for while it is put up: meanwhile no page asks (`closeNotifications.ts`).
  if (!isOpen) await navigator.locks.request('messages', () => registration.showNotification(title, { body: text, tag: table }))
}

/** The page that shows the table already; else one where nobody plays; else a new one. */
async function openTable(table) {
  const address = `/table/${encodeURIComponent(table)}`
  const all = await openPages()
  const existing = all.find((page) => path(page) === address)
  if (existing) return existing.focus()
  const free = all.find((page) => !path(page).startsWith('/table/'))
  if (!free) return clients.openWindow(address)
  await free.navigate(address)
  return free.focus()
}
