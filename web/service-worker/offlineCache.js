// The page is kept in the browser, so that it opens without its house. PARTS (its files), BUILT (its first one) and EDITION (what
// names all of them together) are known when it is built (`web/offline.js`), and so is what the house tells in files (TOLD).
import { PrecacheController } from 'workbox-precaching/PrecacheController.js'
import { KEPT, names } from './cacheNames.js'

const PATIENCE = 3000 // milliseconds that a house may take before the page is opened as it was kept

/** The page's own addresses, below where it lies. Everything else that is opened is the house's to answer. */
const PAGES = /^(index\.html|(table|own|record|rules|settings|learn|puzzles)(\/[^.]*)?)?$/
/** Files that are named by what is in them. */
const LASTING = /^(assets\/|engine\/[\w-]+-[0-9a-f]{16}\.)/
/** What the house may have anew: which modules there are, what can be played, and the rules of its games. */
const FRESH = /^(engine\/manifest\.json|told\/.+)$/

/** A site without a house (`diamonds site`) says which edition of it this is, and begins with a file of its own. */
const { edition = EDITION, begins = [] } = self.site ?? {}

const kept = new PrecacheController({ cacheName: KEPT + edition, plugins: [{ cacheWillUpdate: asBuilt }] })
kept.addToCacheList([...PARTS.map((url) => ({ url, revision: null })), ...['./', ...begins].map((url) => ({ url, revision: edition }))])
const cacheName = kept.strategy.cacheName

/** What may be kept of a reply: nothing of a house that was updated while its page was fetched. The next visit fetches it whole. */
async function asBuilt({ request, response }) {
  const whole = response.ok && (request.url !== scope('./') || (await response.clone().text()).includes(BUILT))
  return whole ? response : null
}

const scope = (path) => new URL(path, location).href

/** Fetch everything; whatever goes wrong with the page itself, the worker before stays. */
export async function keep(event) {
  await kept.install(event)
  const cache = await caches.open(cacheName)
  for (const path of TOLD) {
    const page = await now(scope(path))
    if (page.ok) await cache.put(page.url, page)
  }
  await keepModules(cache)
}

/** Rules and bots for a page without its house, where the house has them. The list comes last: what it names is there then. */
async function keepModules(cache) {
  const list = await now(scope('engine/manifest.json'))
  if (!list.ok) return
  for (const [, name] of (await list.clone().text()).matchAll(/"([\w-]+-[0-9a-f]{16}\.\w+)"/g)) await cache.add(scope(`engine/${name}`))
  await cache.put(list.url, list)
}

/** The edition before stays, for pages that are open have not loaded all of it; those before that go. */
export async function tidy() {
  const before = (await names()).filter((name) => name !== cacheName)
  await Promise.all(before.slice(0, -1).map((name) => caches.delete(name)))
}

/** A reply to what the page asks for, if that is ours to give. */
export function replyTo(request) {
  const { method, mode, url } = request
  const [here, asked] = [new URL('./', location), new URL(url)]
  if (method !== 'GET' || asked.origin !== here.origin || !asked.pathname.startsWith(here.pathname)) return null
  const path = asked.pathname.slice(here.pathname.length)
  if (mode === 'navigate') return PAGES.test(path) ? page(request) : null
  if (LASTING.test(path)) return lasting(request)
  if (begins.includes(path)) return beginning(request, path)
  return FRESH.test(path) ? fresh(request) : null
}

/** What is there now: a file host that says nothing about it would have browsers take an old page for a new one. */
const now = (request) => fetch(request, { cache: 'no-cache' })
const after = (ms) => new Promise((done) => setTimeout(done, ms))
const found = (request) => caches.match(request, { ignoreVary: true })

/** The house's page if it has one for us soon, else the one that was kept: in a tunnel, or while a proxy says that nobody is in. */
async function page(request) {
  const coming = now(request).catch(() => Response.error())
  const soon = await Promise.race([coming, after(PATIENCE)])
  if (soon && soon.type !== 'error' && soon.status < 500) return soon
  return (await kept.matchPrecache('./')) ?? coming
}

async function lasting(request) {
  return (await found(request)) ?? fetch(request)
}

/** What the page begins with is of the same edition as the page. */
async function beginning(request, path) {
  return now(request).catch(() => kept.matchPrecache(path))
}

/** As the house has it, or as it was when it was last seen. */
async function fresh(request) {
  const reply = await now(request).catch(() => null)
  if (reply?.ok) await (await caches.open(cacheName)).put(request, reply.clone())
  return reply && reply.status < 500 ? reply : ((await found(request)) ?? Response.error())
}
