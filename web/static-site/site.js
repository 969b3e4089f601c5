// What a page without a server begins with (`diamonds build-site`). The page is a server's, to the letter, and takes itself to lie at the root of its
// address. Here it lies anywhere: whatever it calls `/…` is looked for below this folder, its own pages have their addresses behind
// a `?`, since a file host knows but one page of it, and what would be asked of a server is a file, or is refused in one sentence.
const script = document.currentScript
const root = new URL('./', script.src)

/** Where something is that the page calls `/…`: a file in this folder, or a page of its own. */
function outer(address) {
  if (typeof address !== 'string' || !/^\/(?!\/)/.test(address)) return address
  const [path] = address.split(/[?#]/)
  const file = /\.[^/]*$/.test(path) || path.startsWith('/api/')
  return root.href + (file ? address.slice(1) : address === '/' ? '' : `?${address}`)
}

/** What the page calls an address. */
function inner(url) {
  if (url.origin !== root.origin || !url.pathname.startsWith(root.pathname)) return url
  const path = url.pathname.slice(root.pathname.length - 1)
  if (!/^\/(index\.html)?$/.test(path)) return new URL(path + url.search + url.hash, root)
  return new URL((url.search.startsWith('?/') ? url.search.slice(1) : `/${url.search}`) + url.hash, root)
}

/** Where we are, as the page calls it (`web/src/client/router.svelte.ts`). */
window.here = Object.defineProperties({}, Object.fromEntries(['pathname', 'search', 'hash'].map((part) => [part, { get: () => inner(new URL(location.href))[part] }])))
for (const how of ['pushState', 'replaceState']) {
  const change = history[how]
  history[how] = (state, title, address) => change.call(history, state, title, outer(address))
}

// A link leads where it says, also in a new tab; the page reads of it what it wrote.
const OURS = 'a[href^="/"]'
const mend = (link) => link.setAttribute('href', outer(link.getAttribute('href')))
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    for (const node of [target, ...addedNodes]) {
      if (!(node instanceof Element)) continue
      if (node.matches(OURS)) mend(node)
      if (node !== target) node.querySelectorAll(OURS).forEach(mend)
    }
  }
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['href'] })
for (const part of ['pathname', 'search']) {
  const { get } = Object.getOwnPropertyDescriptor(HTMLAnchorElement.prototype, part)
  Object.defineProperty(HTMLAnchorElement.prototype, part, {
    get() {
      return this.href.startsWith(root.href) ? inner(new URL(this.href))[part] : get.call(this)
    },
  })
}

// Requests to the server.
const NOBODY = { tables: [], your_tables: [] }
const NAME = 'diamonds.called'
let called = ''
try {
  called = localStorage.getItem(NAME) ?? ''
} catch {
  // A browser that keeps nothing: one is called something for as long as the page is open.
}
function rename({ name }) {
  called = name
  try {
    localStorage.setItem(NAME, name)
  } catch {
    // As above.
  }
  return { name }
}
const ask = window.fetch
window.fetch = async (address, init) => {
  if (typeof address !== 'string' || !address.startsWith('/api/')) return ask(outer(address), init)
  const language = init?.headers?.['Accept-Language'] ?? document.documentElement.lang
  if (address === '/api/server') {
    const response = await ask(outer(`/static-data/${language}/server.json`))
    return response.ok ? Response.json({ ...(await response.json()), display_name: called }) : response
  }
  if (address === '/api/me' && init?.method) return Response.json(rename(JSON.parse(init.body)))
  if (address === '/api/tables' && !init?.method) return Response.json(NOBODY, { headers: { 'diamonds-client-version': await newest() } }) // as a server says it
  return Response.json({ error: script.dataset[language] ?? script.dataset.en }, { status: 404 })
}
/** The first file of the page that lies here by now. */
async function newest() {
  const page = await ask(root.href, { cache: 'no-cache' }).catch(() => null)
  return (page?.ok && /\bassets\/(index-[\w-]+\.js)"/.exec(await page.text())?.[1]) || ''
}
/** Nothing is heard of a server: of its tables and its people, that there are none. */
window.EventSource = class extends EventTarget {
  static CLOSED = 2
  readyState = 2
  constructor(address) {
    super()
    if (address !== '/api/turns') setTimeout(() => this.onerror?.())
  }
  close() {}
}

// What the browser itself fetches.
window.Worker = class extends Worker {
  constructor(address, more) {
    super(outer(inner(new URL(address, root)).pathname), more)
  }
}
if (navigator.serviceWorker) {
  const register = ServiceWorkerContainer.prototype.register
  ServiceWorkerContainer.prototype.register = function (address, more) {
    return register.call(this, outer(address), more)
  }
}
