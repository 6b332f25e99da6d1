/**
 * Prints the gzipped size of each view: its scripts and styles with all imports, as a first visit fetches them. Reads
 * the manifest of the last build. `--check` fails above the limits, and if a chunk contains schemas: the app uses only
 * types and constants of the contracts.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { TV_MANIFEST } from './tv-page.ts'
import { closure, VIEWS } from './views.ts'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const manifestFile = `${dist}.vite/manifest.json`
if (!existsSync(manifestFile)) {
  console.error('No build found. Run `pnpm --filter @looptide/web build` first.')
  process.exit(1)
}
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
const tvManifest = JSON.parse(readFileSync(dist + TV_MANIFEST, 'utf8'))
/** The page for televisions, which is transpiled, has polyfills, and is one view. */
const TV_LIMIT_KB = 140

const gzipBytes = (file) => gzipSync(readFileSync(dist + file), { level: 9 }).length
const sum = (files) => [...new Set(files)].reduce((bytes, file) => bytes + gzipBytes(file), 0)
const kb = (bytes) => (bytes / 1000).toFixed(1)

let tooLarge = false
console.log('view            script kB  style kB  limit   (gzip)')
/** Prints the sizes of the files of these chunks. */
function report(name, files, keys, limitKb) {
  const scripts = sum([...keys].map((key) => files[key].file))
  const styles = sum([...keys].flatMap((key) => files[key].css ?? []))
  const isOver = limitKb !== undefined && scripts > limitKb * 1000
  tooLarge ||= isOver
  const limit = limitKb === undefined ? '–' : `${limitKb}${isOver ? ' EXCEEDED' : ''}`
  console.log(`${name.padEnd(14)}  ${kb(scripts).padStart(9)}  ${kb(styles).padStart(8)}  ${limit}`)
}
for (const { name, entries, limitKb } of VIEWS) {
  const keys = closure(manifest, 'index.html')
  for (const entry of entries) closure(manifest, entry, keys)
  report(name, manifest, keys, limitKb)
}
report('/tv', tvManifest, closure(tvManifest, 'tv.html'), TV_LIMIT_KB)
/** TypeBox marks every schema with this property. */
const withSchemas = [...Object.values(manifest), ...Object.values(tvManifest)].filter(
  ({ file }) => file.endsWith('.js') && readFileSync(dist + file, 'utf8').includes('~kind'),
)
for (const { file } of withSchemas)
  console.log(`${file} contains schemas; see \`treeshake\` in vite.config.ts`)
if ((tooLarge || withSchemas.length > 0) && process.argv.includes('--check')) process.exit(1)
