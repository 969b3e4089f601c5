import { readFileSync } from 'node:fs'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { marked } from 'marked'
import { defineConfig } from 'vite'

const server = process.env.DIAMONDS_SERVER ?? 'http://127.0.0.1:8000'

// The rules pages are docs/rules/*.md, turned into HTML when the page is built: `import('rules:crystals')` is its address.
let building = false
const rules = {
  name: 'rules',
  configResolved: (config) => void (building = config.command === 'build'),
  resolveId: (id) => (id.startsWith('rules:') ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith('\0rules:')) return undefined
    const name = id.slice(7)
    const file = new URL(`../docs/rules/${name}.md`, import.meta.url)
    this.addWatchFile(file.pathname)
    const html = marked
      .parse(readFileSync(file, 'utf8'), { async: false })
      .replaceAll('<table>', '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>')
      .replaceAll('<pre>', '<pre tabindex="0">')
      .replaceAll(/ align="(\w+)"/g, '')
    if (!building) return `export default URL.createObjectURL(new Blob([${JSON.stringify(html)}]))`
    const asset = this.emitFile({ type: 'asset', name: `${name}.html`, source: html })
    return `export default import.meta.ROLLUP_FILE_URL_${asset}`
  },
}

export default defineConfig({
  plugins: [rules, svelte()],
  server: { proxy: { '/api': { target: server, changeOrigin: false } } },
  build: {
    outDir: '../src/diamonds/server/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // a data: address would need a hole in the content security policy
    modulePreload: { polyfill: false },
  },
})
