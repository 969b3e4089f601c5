// Messages that it is one's turn, shown while no page of the house is open; pressed, they lead to their table.
addEventListener('push', (event) => event.waitUntil(show(event.data.json())))
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.tag))
})

const pages = () => clients.matchAll({ type: 'window', includeUncontrolled: true })
const path = (page) => new URL(page.url).pathname

async function show({ table, title, text }) {
  const looked = (await pages()).some((page) => page.visibilityState === 'visible' && page.focused && path(page) === `/table/${table}`)
  // Chromium forgets a message that a page asks for while it is put up: meanwhile no page asks (`tidy.ts`).
  if (!looked) await navigator.locks.request('messages', () => registration.showNotification(title, { body: text, tag: table }))
}

/** The page that shows the table already; else one where nobody plays; else a new one. */
async function open(table) {
  const wanted = `/table/${encodeURIComponent(table)}`
  const all = await pages()
  const there = all.find((page) => path(page) === wanted)
  if (there) return there.focus()
  const free = all.find((page) => !path(page).startsWith('/table/'))
  if (!free) return clients.openWindow(wanted)
  await free.navigate(wanted)
  return free.focus()
}
