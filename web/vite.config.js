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
    assetsInlineLimit: 0, // a data: address would need a hole in the content security policy
    // What a part needs besides its style is here already, or comes with it. Only what deals on the device needs more, which would be asked for one after the other.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, parts, { hostType }) => (hostType === 'html' ? parts : parts.filter((part) => /\.css$|\/(local|importRecord|rolldown)/.test(part))),
    },
    // What every page and game needs comes in one file beside the table's, not in a dozen small ones with the game.
    rolldownOptions: {
      output: {
        // So few signs tell one build from the next; what a table loads first names all files.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // The first file names every style sheet beside its script, so the script's name is enough; and five signs are, of which there are a thousand million.
        assetFileNames: ({ names: [name] }) => (/^(?!themes).*\.css$/.test(name) ? 'assets/[hash:5][extname]' : 'assets/[name]-[hash:5][extname]'),
        codeSplitting: {
          groups: [
            { name: 'Home', test: /src\/pages\/(Home|PlayNow|settings\/Profile|new-table\/(NewTable|createTable|tableDraft))/ },
            { name: 'components', priority: 1, test: /node_modules\/(svelte|esm-env|clsx)\/|src\/(client\/(?!variants|turnStream)|components\/(?!LineChart|mistakes|seatView|ProgressBar|QrCode|OptionFields|themes|soundSynthesis|UpdateAvailable|updateCheck)|games\/(index|tricks))/ },
          ],
        },
      },
    },
  },
})
