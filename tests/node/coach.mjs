// Print the coach's lines and recommended answers for each position on standard input, one a line.
//   node coach.mjs BUNDLER COACH      (COACH: a game's coach.ts; run in web/)
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [bundler, coach] = process.argv.slice(2)
const { rolldown } = await import(bundler)

// A sentence is printed as its id with its values.
const WORDS = `
export const SYMBOLS = { D: '♦', H: '♥', S: '♠', C: '♣' }
export const t = (id, values = {}) => [id, ...Object.entries(values).map((one) => one.join('='))].join(' ')
export const part = () => null
export const [capitalize, formatNumber, joinList, textOf] = [String, String, String, String]
`
const words = {
  name: 'words',
  resolveId: (id) => (id.endsWith('client/i18n.svelte') ? '\0words' : null),
  load: (id) => (id === '\0words' ? WORDS : null),
  transform: (code) => code.replaceAll('import.meta.glob', 'Object'),
}
const folder = await mkdtemp(join(tmpdir(), 'coach-'))
const file = join(folder, 'coach.mjs')
await (await rolldown({ input: coach, platform: 'browser', plugins: [words] })).write({ file, format: 'esm' })
const { tips } = await import(pathToFileURL(file).href)
await rm(folder, { recursive: true })

for await (const line of createInterface({ input: process.stdin })) {
  const now = JSON.parse(line)
  const said = tips
    .map((tip) => ({ name: tip.name, text: tip.text(now), recommends: tip.recommends?.(now) ?? null }))
    .filter(({ text }) => text)
  console.log(JSON.stringify(said))
}
