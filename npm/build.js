// Assemble the package in an empty folder: node npm/build.js FOLDER VERSION. `npm/build.py` runs this and packs the result.
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const HERE = import.meta.dirname
const ROOT = dirname(HERE)
const MODULES = join(ROOT, 'src/diamonds/server/engine')
const [folder, version] = process.argv.slice(2)
const installed = createRequire(join(ROOT, 'web/package.json')) // the page's build tools
const { rolldown } = await import(pathToFileURL(join(ROOT, 'web/node_modules/rolldown/dist/index.mjs')))
const { licence } = await import('../web/build-tools/licences.js')

const BESIDE = ['files.js', 'read.node.js', 'read.web.js'] // not bundled

/** Bundle the engine and its dependencies into one file, with an entry point for Node and one for browsers; return the dependencies. */
async function bundled() {
  const input = { index: join(HERE, 'index.ts'), node: join(HERE, 'node.ts') }
  const treeshake = { moduleSideEffects: [{ test: /publicNames\.ts$/, sideEffects: true }] } // this file adds members to the engine's classes
  const made = await rolldown({ input, platform: 'neutral', external: BESIDE.map((name) => `./${name}`), tsconfig: false, treeshake })
  const { output } = await made.write({ dir: folder, format: 'esm', chunkFileNames: 'engine.js' })
  const inside = output.flatMap(({ modules }) => Object.keys(modules)).map((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
  return [...new Set(inside.filter(Boolean))]
}

/** Write the type declarations of the package and the engine, each import with the file ending that Node requires. */
function typed() {
  const scratch = mkdtempSync(join(tmpdir(), 'types-'))
  execFileSync(process.execPath, [installed.resolve('typescript/bin/tsc'), '-p', HERE, '--outDir', scratch], { stdio: 'inherit' })
  const put = (from, to, ending) => {
    mkdirSync(to, { recursive: true })
    for (const file of readdirSync(from)) {
      const text = readFileSync(join(from, file), 'utf-8').replace(/(from |import\(|declare module )'\.\.\/web\/src\//g, "$1'./").replace(/(from |import\(|declare module )'(\.[^']+)'/g, `$1'$2${ending}'`)
      writeFileSync(join(to, file), text)
    }
  }
  put(join(scratch, 'npm'), join(folder, 'types'), '.js')
  for (const room of readdirSync(join(scratch, 'web/src'))) put(join(scratch, 'web/src', room), join(folder, 'types', room), '.js')
  rmSync(scratch, { recursive: true })
}

/** Copy the modules, and write `files.js` with their addresses in a form that bundlers understand. */
function modules() {
  const manifest = readFileSync(join(MODULES, 'manifest.json'))
  const files = Object.values(JSON.parse(manifest).games).flatMap(({ play, thinking, review, reasons }) => [play, thinking, thinking.learned, review, reasons])
  const names = ['manifest.json', ...new Set(files.filter(Boolean).map(({ file }) => file))].sort()
  for (const name of names) cpSync(join(MODULES, name), join(folder, 'modules', name))
  const lines = names.map((name) => `  '${name}': new URL('./modules/${name}', import.meta.url),\n`)
  const sum = createHash('sha256').update(manifest).digest('hex')
  writeFileSync(join(folder, 'files.js'), `export const files = {\n${lines.join('')}}\nexport const manifest = '${sum}'\n`)
}

mkdirSync(folder, { recursive: true })
const others = await bundled()
typed()
modules()
for (const name of ['README.md', ...BESIDE.slice(1)]) cpSync(join(HERE, name), join(folder, name))
cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
writeFileSync(join(folder, 'licences.txt'), others.map(licence).sort().join(`\n${'-'.repeat(80)}\n\n`))
writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf-8')), version }, null, 2) + '\n')
