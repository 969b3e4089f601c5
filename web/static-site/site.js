// The first script of a static site (`diamonds build-site`). The client is the same as a server's and expects to be at the root of its origin. Here
// it may be in any folder: paths `/…` are looked up in this folder, pages of the client are query strings since a file host knows only one page, and
// requests to the server get a file or an error.
const script = document.currentScript
const root = new URL('./', script.src)

/** Return the real URL of a path `/…` of the client: a file in this folder, or a page of its own. */
function outer(address) {
  if (typeof address !== 'string' || !/^\/(?!\/)/.test(address)) return address
  const [path] = address.split(/[?#]/)
  const file = /\.[^/]*$/.test(path) || path.startsWith('/api/')
  return root.href + (file ? address.slice(1) : address === '/' ? '' : `?${address}`)
}

/** Return the client's path of a URL. */
function inner(url) {
  if (url.origin !== root.origin || !url.pathname.startsWith(root.pathname)) return url
  const path = url.pathname.slice(root.pathname.length - 1)
  if (!/^\/(index\.html)?$/.test(path)) return new URL(path + url.search + url.hash, root)
  return new URL((url.search.startsWith('?/') ? url.search.slice(1) : `/${url.search}`) + url.hash, root)
}

/** The current location, as the client sees it (`web/src/client/router.svelte.ts`). */
window.here = Object.defineProperties({}, Object.fromEntries(['pathname', 'search', 'hash'].map((part) => [part, { get: () => inner(new URL(location.href))[part] }])))
for (const how of ['pushState', 'replaceState']) {
  const change = history[how]
  history[how] = (state, title, address) => change.call(history, state, title, outer(address))
}

// Links in the document get real URLs, for new tabs; the client reads back the paths it wrote.
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

// The answers to requests that would go to a server.
const NOBODY = { tables: [], your_tables: [] }
const NAME = 'diamonds.called'
let called = ''
try {
  called = localStorage.getItem(NAME) ?? ''
} catch {
  // Storage is unavailable: the name lasts as long as the page.
}
function rename({ name }) {
  called = name
  try {
    localStorage.setItem(NAME, name)
  } catch {
    // Storage is unavailable, as above.
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
  if (address === '/api/tables' && !init?.method) return Response.json(NOBODY, { headers: { 'diamonds-client-version': await newest() } }) // with the same header as a server's response
  return Response.json({ error: script.dataset[language] ?? script.dataset.en }, { status: 404 })
}
/** Return the URL of the current entry script in this folder. */
async function newest() {
  const page = await ask(root.href, { cache: 'no-cache' }).catch(() => null)
  return (page?.ok && /\bassets\/(index-[\w-]+\.js)"/.exec(await page.text())?.[1]) || ''
}
/** The streams of a server without tables and people. */
window.EventSource = class extends EventTarget {
  static CLOSED = 2
  readyState = 2
  constructor(address) {
    super()
    if (address !== '/api/turns') setTimeout(() => this.onerror?.())
  }
  close() {}
}

// The browser itself loads workers and the service worker, so they need real URLs.
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
