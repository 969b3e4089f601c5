// What is built beside the page: its service worker, `sw.js`, which knows by name what the page is made of, `sw-off.js`, which lets go of it,
// and `site.js`, with which the page does without a house.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { build } from 'vite'

const BESIDE = { 'sw.js': 'service-worker/sw.js', 'sw-off.js': 'service-worker/unregister.js', 'site.js': 'static-site/site.js' }

const languages = readdirSync(new URL('../../src/diamonds/i18n/', import.meta.url)).filter((file) => file.endsWith('.ftl')).map((file) => file.slice(0, -4))
/** What the house tells in files: what can be played, and the rules of the games. Those of a language lie in a folder of its name, English ones beside these. */
const told = readdirSync(new URL('../../docs/rules/', import.meta.url), { recursive: true })
  .filter((page) => page.endsWith('.md'))
  .map((page) => `told/${page.includes('/') ? page : `en/${page}`}`.replace(/md$/, 'html').replaceAll('\\', '/'))
  .concat(languages.map((one) => `told/${one}/house.json`))
  .sort()

export const serviceWorker = () => ({
  name: 'service-worker',
  apply: 'build',
  async writeBundle({ dir }, bundle) {
    const files = Object.values(bundle)
    const parts = files.map((file) => file.fileName).filter((name) => name.startsWith('assets/')).sort()
    const page = files.find((file) => file.fileName === 'index.html').source
    const edition = createHash('sha256').update([...parts, page].join('\n')).digest('hex').slice(0, 8)
    const built = files.find((file) => file.isEntry).fileName
    const known = { PARTS: parts, TOLD: told, BUILT: built, EDITION: edition, 'process.env.NODE_ENV': 'production' }
    for (const [name, entry] of Object.entries(BESIDE)) {
      await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        define: Object.fromEntries(Object.entries(known).map(([word, value]) => [word, JSON.stringify(value)])),
        build: { outDir: dir, emptyOutDir: false, target: 'es2022', lib: { entry, formats: ['iife'], name: 'worker', fileName: () => name } },
      })
    }
  },
})
