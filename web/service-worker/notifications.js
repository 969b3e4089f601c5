// Push notifications on your turn: shown while no window shows the table; a tap opens it.
addEventListener('push', (event) => event.waitUntil(showNotification(event.data.json())))
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openTable(event.notification.tag))
})

const openPages = () => clients.matchAll({ type: 'window', includeUncontrolled: true })
const path = (page) => new URL(page.url).pathname

async function showNotification({ table, title, text }) {
  const isOpen = (await openPages()).some((page) => page.visibilityState === 'visible' && page.focused && path(page) === `/table/${table}`)
  // Chromium loses a notification if a page lists notifications while it is being shown; `closeNotifications.ts` takes the same lock.
  if (!isOpen) await navigator.locks.request('messages', () => registration.showNotification(title, { body: text, tag: table }))
}

/** Focus a window that shows the table; else reuse one without a game; else open a new one. */
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
