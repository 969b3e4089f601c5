// A Vite plugin that builds the service worker (`sw.js`), the one that unregisters it (`sw-off.js`) and the script of a static site (`site.js`).
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { build } from 'vite'

const OUTPUTS = { 'sw.js': 'service-worker/sw.js', 'sw-off.js': 'service-worker/unregister.js', 'site.js': 'static-site/site.js' }

const languages = readdirSync(new URL('../../src/diamonds/i18n/', import.meta.url)).filter((file) => file.endsWith('.ftl')).map((file) => file.slice(0, -4))
/** Static data files (games and rules), one folder per language; English files lie at the top. */
const staticData = readdirSync(new URL('../../docs/rules/', import.meta.url), { recursive: true })
  .filter((page) => page.endsWith('.md'))
  .map((page) => `static-data/${page.includes('/') ? page : `en/${page}`}`.replace(/md$/, 'html').replaceAll('\\', '/'))
  .concat(languages.map((one) => `static-data/${one}/server.json`))
  .sort()

export const serviceWorker = () => ({
  name: 'service-worker',
  apply: 'build',
  async writeBundle({ dir }, bundle) {
    const files = Object.values(bundle)
    const clientFiles = files.map((file) => file.fileName).filter((name) => name.startsWith('assets/')).sort()
    const page = files.find((file) => file.fileName === 'index.html').source
    const version = createHash('sha256').update([...clientFiles, page].join('\n')).digest('hex').slice(0, 8)
    const entryFile = files.find((file) => file.isEntry).fileName
    const constants = { CLIENT_FILES: clientFiles, STATIC_DATA: staticData, ENTRY_FILE: entryFile, CLIENT_VERSION: version, 'process.env.NODE_ENV': 'production' }
    for (const [name, entry] of Object.entries(OUTPUTS)) {
      await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        define: Object.fromEntries(Object.entries(constants).map(([word, value]) => [word, JSON.stringify(value)])),
        build: { outDir: dir, emptyOutDir: false, target: 'es2022', lib: { entry, formats: ['iife'], name: 'worker', fileName: () => name } },
      })
    }
  },
})
