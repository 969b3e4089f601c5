// A catalogue of sentences as the page takes it, in parts: `en.ftl?table` is a module with the text of what a table says while
// it is played, `en.ftl?lobby` what the lobby says, `en.ftl?pages` has what is said by all that comes later, and
// `en.ftl?coach-mines` what the coach of a game says.
import { readFile } from 'node:fs/promises'

const COACH = /^page-(coach-[a-z]+)-/
const LOBBY = /^page-(lobby|tables)\b/
const LATER = /^page-(rules|settings-\w+|replay|review|record|waiting|over|help|key|pad)\b/
const ENTRY = /^(?=[a-z][a-z0-9-]* =)/m // where a sentence begins

/** The part of a catalogue, without its comments. */
const partOf = (catalogue, part) =>
  catalogue
    .replace(/^#.*\n|^\n/gm, '')
    .split(ENTRY)
    .filter((entry) => entry.startsWith('page-') && partFor(entry) === part)
    .join('')

const partFor = (entry) => COACH.exec(entry)?.[1] ?? (LOBBY.test(entry) ? 'lobby' : LATER.test(entry) ? 'pages' : 'table')

export const catalogues = () => ({
  name: 'catalogues',
  async load(id) {
    const [file, part] = id.split('?')
    if (!file.endsWith('.ftl')) return null
    this.addWatchFile(file)
    return `export default ${JSON.stringify(partOf(await readFile(file, 'utf-8'), part))}`
  },
})
