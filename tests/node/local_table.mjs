// Run a local table: each line of standard input is a request of a tab or a bot. node local_table.mjs OWN FOLDER <
// LINES (OWN: web/src/local/localTable.ts, bundled)
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'

const [script, folder] = process.argv.slice(2)
const { LocalTable, RulesModule } = await import(script)
const manifest = JSON.parse(await readFile(`${folder}/manifest.json`, 'utf-8'))
const fetch = async (file) => new Uint8Array(await readFile(`${folder}/${file}`))
const opened = new Map()
const rules = async (name) => {
  if (!opened.has(name)) opened.set(name, await RulesModule.open(name, manifest, fetch))
  return opened.get(name)
}

let table
const apply = (lines, at) => lines.forEach((line) => table.apply({ n: table.n, line, at }))
const deeds = {
  /** Open a table from its stored form. */
  async table({ kept }) {
    table = new LocalTable(kept, await rules(kept.game), manifest.record)
  },
  /** Give a seat's answers at this time, all or none. */
  async answers({ seat, n, answers, at }) {
    apply(table.answers(seat, n, answers), at)
  },
  async back({ n, to, at }) {
    apply(table.undoEntry(n, to), at)
  },
  /** Return the view and the random bits of a bot's decision. */
  async bot({ seat }) {
    const [view, bits] = table.botInput(seat)
    return { view: [...view].map(String), bits: String(bits) }
  },
  async message({ since }) {
    return table.message(since)
  },
  async standing() {
    return table.status
  },
  async pad() {
    return table.pad()
  },
  async replay() {
    return table.replay()
  },
  async record() {
    return table.toRecord()
  },
  async verdict() {
    return table.verify()
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { deed, ...values } = JSON.parse(line)
  try {
    console.log(JSON.stringify((await deeds[deed](values)) ?? {}))
  } catch (error) {
    if (!error.id) throw error
    console.log(JSON.stringify({ refused: [error.id, error.values] }))
  }
}
