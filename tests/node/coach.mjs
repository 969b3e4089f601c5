// Print the coach's tips and recommended answers, or the direct effect or outcome of an answer, or why answers are equal, for each position on
// standard input, or the names of its equal and of its clearly worse cards, one per line. node coach.mjs BUNDLER MODULE
// (MODULE: a game's coach.ts or directEffect.ts, or equalSet.ts; run in web/)
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [bundler, module] = process.argv.slice(2)
const { rolldown } = await import(bundler)

// A sentence is printed as its id with its values.
const WORDS = `
export const SYMBOLS = { D: '♦', H: '♥', S: '♠', C: '♣' }
export const t = (id, values = {}) => [id, ...Object.entries(values).map((one) => one.join('='))].join(' ')
export const part = () => null
export const joinList = (list) => list.join(' ')
export const [capitalize, formatNumber, textOf] = [String, String, String]
`
const words = {
  name: 'words',
  resolveId: (id) => (id.endsWith('client/i18n.svelte') ? '\0words' : null),
  load: (id) => (id === '\0words' ? WORDS : null),
  transform: (code) => code.replaceAll('import.meta.glob', 'Object'),
}
const folder = await mkdtemp(join(tmpdir(), 'coach-'))
const file = join(folder, 'coach.mjs')
await (await rolldown({ input: module, platform: 'browser', plugins: [words] })).write({ file, format: 'esm' })
const { tips, directEffect, directOutcome, whyEqual, equalSet, clearlyWorse } = await import(pathToFileURL(file).href)
await rm(folder, { recursive: true })

for await (const line of createInterface({ input: process.stdin })) {
  const now = JSON.parse(line)
  if (now.compared) {
    console.log(JSON.stringify([equalSet, clearlyWorse].map((name) => name(now.compared))))
    continue
  }
  if (now.outcomeOf) {
    console.log(JSON.stringify(directOutcome(now.view, now.outcomeOf)))
    continue
  }
  if (now.equal) {
    console.log(JSON.stringify(whyEqual(now.view, now.me, now.equal)))
    continue
  }
  if (directEffect) {
    console.log(JSON.stringify(directEffect({ ...now, name: (seat) => `seat${seat}` })))
    continue
  }
  const said = tips
    .map((tip) => ({ name: tip.name, text: tip.text(now), recommends: tip.recommends?.(now) ?? null }))
    .filter(({ text }) => text)
  console.log(JSON.stringify(said))
}
