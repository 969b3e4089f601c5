// The offline cache: the client opens without its server. The build (`web/build-tools/serviceWorker.js`) defines CLIENT_FILES, ENTRY_FILE (the first
// of them), CLIENT_VERSION (a hash of all) and STATIC_DATA (files that the server generates).
import { PrecacheController } from 'workbox-precaching/PrecacheController.js'
import { CACHE_PREFIX, cacheNames } from './cacheNames.js'

const NETWORK_TIMEOUT_MS = 3000 // then the cached page is shown

/** Paths of the client, relative to its folder. All others go to the server. */
const CLIENT_PATHS = /^(index\.html|(table|own|record|duel|rules|settings|learn|puzzles|today)(\/[^.]*)?)?$/
/** Files with a hash of their content in the name. */
const IMMUTABLE = /^(assets\/|engine\/[\w-]+-[0-9a-f]{16}\.)/
/** Files that change with the server: the manifest of the Wasm modules, games, rules. */
const REVALIDATED = /^(engine\/manifest\.json|static-data\/.+)$/

/** A static site (`diamonds build-site`) sets its own version and a script that runs first. */
const { edition = CLIENT_VERSION, begins = [] } = self.site ?? {}

const precache = new PrecacheController({ cacheName: CACHE_PREFIX + edition, plugins: [{ cacheWillUpdate: currentOnly }] })
precache.addToCacheList([...CLIENT_FILES.map((url) => ({ url, revision: null })), ...['./', ...begins].map((url) => ({ url, revision: edition }))])
const cacheName = precache.strategy.cacheName

/** Return a response that may be cached, or `null` if the server was updated during the download. The next visit retries. */
async function currentOnly({ request, response }) {
  const whole = response.ok && (request.url !== scope('./') || (await response.clone().text()).includes(ENTRY_FILE))
  return whole ? response : null
}

const scope = (path) => new URL(path, location).href

/** Download all files. If the client's own files fail, the previous worker stays. */
export async function cacheClient(event) {
  await precache.install(event)
  const cache = await caches.open(cacheName)
  for (const path of STATIC_DATA) {
    const page = await revalidated(scope(path))
    if (page.ok) await cache.put(page.url, page)
  }
  await cacheWasmModules(cache)
}

/** Download rules and bots for offline games, if the server has them. The manifest comes last, when all files it names are cached. */
async function cacheWasmModules(cache) {
  const list = await revalidated(scope('engine/manifest.json'))
  if (!list.ok) return
  for (const [, name] of (await list.clone().text()).matchAll(/"([\w-]+-[0-9a-f]{16}\.\w+)"/g)) await cache.add(scope(`engine/${name}`))
  await cache.put(list.url, list)
}

/** Delete all caches except this one and the previous one, from which open pages may still load parts. */
export async function deleteOldCaches() {
  const before = (await cacheNames()).filter((name) => name !== cacheName)
  await Promise.all(before.slice(0, -1).map((name) => caches.delete(name)))
}

/** Return a response for a request of the client, or `null` to leave it to the network. */
export function respond(request) {
  const { method, mode, url } = request
  const [here, asked] = [new URL('./', location), new URL(url)]
  if (method !== 'GET' || asked.origin !== here.origin || !asked.pathname.startsWith(here.pathname)) return null
  const path = asked.pathname.slice(here.pathname.length)
  if (mode === 'navigate') return CLIENT_PATHS.test(path) ? openPage(request) : null
  if (IMMUTABLE.test(path)) return immutable(request)
  if (begins.includes(path)) return firstFile(request, path)
  return REVALIDATED.test(path) ? latest(request) : null
}

/** Fetch without the HTTP cache: static file hosts may send no cache headers, and the browser would reuse an old page. */
const revalidated = (request) => fetch(request, { cache: 'no-cache' })
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const findCached = (request) => caches.match(request, { ignoreVary: true })

/** Return the server's page, or the cached one after a timeout or an error of the network or a proxy. */
async function openPage(request) {
  const coming = revalidated(request).catch(() => Response.error())
  const soon = await Promise.race([coming, sleep(NETWORK_TIMEOUT_MS)])
  if (soon && soon.type !== 'error' && soon.status < 500) return soon
  return (await precache.matchPrecache('./')) ?? coming
}

async function immutable(request) {
  return (await findCached(request)) ?? fetch(request)
}

/** Return the script that runs first, in the same version as the page. */
async function firstFile(request, path) {
  return revalidated(request).catch(() => precache.matchPrecache(path))
}

/** Return the server's current file, or the cached one while the server is unreachable. */
async function latest(request) {
  const reply = await revalidated(request).catch(() => null)
  if (reply?.ok) await (await caches.open(cacheName)).put(request, reply.clone())
  return reply && reply.status < 500 ? reply : ((await findCached(request)) ?? Response.error())
}
