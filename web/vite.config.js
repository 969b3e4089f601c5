// Vite settings: the development server, and the build's files and chunks.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { catalogs } from './build-tools/catalog.js'
import { licences } from './build-tools/licences.js'
import { serviceWorker } from './build-tools/serviceWorker.js'

const server = process.env.DIAMONDS_SERVER ?? 'http://127.0.0.1:8000'

export default defineConfig({
  plugins: [svelte(), catalogs(), licences(), serviceWorker()],
  server: { fs: { allow: ['.', '../src/diamonds/i18n'] }, proxy: { '/api': { target: server, changeOrigin: false }, '/engine': { target: server } } },
  build: {
    outDir: '../src/diamonds/server/web',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0, // data: URLs would need an exception in the content security policy
    // Preload only the dependencies of local tables: elsewhere everything but the style sheet is already loaded.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, parts, { hostType }) => (hostType === 'html' ? parts : parts.filter((part) => /\.css$|\/(local|importRecord|rolldown)/.test(part))),
    },
    // Code that every page and game needs goes into the table's file, not into a dozen small ones.
    rolldownOptions: {
      output: {
        // Seven characters distinguish builds; short names keep the entry script small.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // The entry script names every style sheet next to its script, so the hash is enough; five characters have 10⁹ values.
        assetFileNames: ({ names: [name] }) => (/^(?!themes).*\.css$/.test(name) ? 'assets/[hash:5][extname]' : 'assets/[name]-[hash:5][extname]'),
        codeSplitting: {
          groups: [
            { name: 'Home', test: /src\/pages\/(home\/(Home|NameAndLinks)|new-table\/(NewTableForm|tableDraft))/ },
            { name: 'components', priority: 1, test: /node_modules\/(svelte|esm-env|clsx)\/|src\/(client\/(?!optionsText|turnStream|fetchReview|recordLink)|components\/(?!LineChart|mistakes|redactView|ProgressBar|QrCode|OptionFields|themes|soundSynthesis|UpdateAvailable|updateCheck)|games\/(index|tricks))/ },
          ],
        },
      },
    },
  },
})
