// A Vite plugin that writes `licences.txt`: the licences of all packages and fonts in the client.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'

const WEB = dirname(import.meta.dirname)
const PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//
/** Packages in the service worker, which has a build of its own. */
const WORKER = ['workbox-core', 'workbox-precaching', 'workbox-routing', 'workbox-strategies']

/** Return a package's name, version and licence. */
export function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf-8'))
  const own = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  if (!own) throw new Error(`${name} has no licence file.`)
  return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${own}`, 'utf-8').trim()}\n`
}

export const licences = () => ({
  name: 'licences',
  apply: 'build',
  generateBundle(_, bundle) {
    const files = Object.values(bundle)
    const made = files.flatMap((file) => [...Object.keys(file.modules ?? {}), ...(file.originalFileNames ?? []).map((name) => `${WEB}/${name}`)])
    const known = made.map((path) => PACKAGE.exec(path)?.[1]).filter(Boolean)
    const folders = new Set([...known, ...WORKER.map((name) => `${WEB}/node_modules/${name}`)])
    const source = [...folders].map(licence).sort().join(`\n${'-'.repeat(80)}\n\n`)
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source })
  },
})
