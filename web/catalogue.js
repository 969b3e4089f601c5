// A catalogue of sentences as the page takes it, in two parts: `en.ftl?table` is a module with the text of what a table says while
// it is played, `en.ftl?pages` has what is said by all that comes later.
import { readFile } from 'node:fs/promises'

const LATER = /^page-(lobby|tables|rules|settings|replay|review|record|waiting|over|help|key|pad)\b/
const ENTRY = /^(?=[a-z][a-z0-9-]* =)/m // where a sentence begins

/** The part of a catalogue, without its comments. */
const partOf = (catalogue, part) =>
  catalogue
    .replace(/^#.*\n|^\n/gm, '')
    .split(ENTRY)
    .filter((entry) => entry.startsWith('page-') && LATER.test(entry) === (part === 'pages'))
    .join('')

export const catalogues = () => ({
  name: 'catalogues',
  async load(id) {
    const [file, part] = id.split('?')
    if (!file.endsWith('.ftl') || !['table', 'pages'].includes(part)) return null
    this.addWatchFile(file)
    return `export default ${JSON.stringify(partOf(await readFile(file, 'utf-8'), part))}`
  },
})
