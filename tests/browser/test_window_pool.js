export const fillStorage = async () => {
  localStorage.kept = sessionStorage.kept = window.name = document.cookie = 'kept=somewhere'
  await (await caches.open('kept')).put('/kept', new Response('kept'))
  const { promise, resolve } = Promise.withResolvers()
  indexedDB.open('kept').onsuccess = (event) => resolve(event.target.result.close())
  await promise
  history.pushState({}, '', '/settings')
}

export const findStorage = async () => [
  ...['kept' in localStorage, 'kept' in sessionStorage].map((is, k) => is && ['localStorage', 'sessionStorage'][k]),
  window.name, document.cookie, ...await caches.keys(), ...(await indexedDB.databases()).map(({ name }) => name),
  window.begun, document.querySelector(':hover') && 'pointed at',
  !navigator.onLine && 'off line', matchMedia('print').matches && 'as printed', matchMedia('(prefers-color-scheme: dark)').matches && 'dark',
  (await navigator.permissions.query({ name: 'clipboard-read' })).state === 'granted' && 'clipboard',
].filter(Boolean)
