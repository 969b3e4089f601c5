import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { catalogues } from './catalogue.js'

const server = process.env.DIAMONDS_SERVER ?? 'http://127.0.0.1:8000'

export default defineConfig({
  plugins: [svelte(), catalogues()],
  server: { fs: { allow: ['.', '../src/diamonds/words'] }, proxy: { '/api': { target: server, changeOrigin: false } } },
  build: {
    outDir: '../src/diamonds/server/page',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0, // a data: address would need a hole in the content security policy
    modulePreload: { polyfill: false },
    // What every game needs comes in one file with the table, not in a dozen small ones with the game.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'svelte', test: /rolldown.runtime|node_modules\/(svelte|esm-env|clsx)\//, priority: 1 },
            { name: 'parts', test: /src\/(net\/|parts\/(?!Chart)|games\/tricks)/ },
          ],
        },
      },
    },
  },
})
