// A catalogue of sentences as the page takes it: `en.ftl?page` is a module with the text of what begins with `page-`.
import { readFile } from 'node:fs/promises'

const ENTRY = /^(?=[a-z][a-z0-9-]* =)/m // where a sentence begins

/** What the page says of a whole catalogue, without its comments. */
export const pageOf = (catalogue) =>
  catalogue
    .replace(/^#.*\n|^\n/gm, '')
    .split(ENTRY)
    .filter((entry) => entry.startsWith('page-'))
    .join('')

export const catalogues = () => ({
  name: 'catalogues',
  async load(id) {
    const [file, query] = id.split('?')
    if (query !== 'page' || !file.endsWith('.ftl')) return null
    this.addWatchFile(file)
    return `export default ${JSON.stringify(pageOf(await readFile(file, 'utf-8')))}`
  },
})
