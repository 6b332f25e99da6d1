/**
 * Prints the gzipped size of each view: its scripts and styles with all imports, as a first visit fetches them. Reads
 * the manifest of the last build. `--check` fails above the limits, and if a chunk contains schemas: the app uses only
 * types and constants of the contracts.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { closure, EMBED_MANIFEST, EMBEDS, stylesOf, TV, TV_MANIFEST, VIEWS } from './views.ts'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const manifestFile = `${dist}.vite/manifest.json`
if (!existsSync(manifestFile)) {
  console.error('No build found. Run `pnpm --filter @looptide/web build` first.')
  process.exit(1)
}
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
const embeds = JSON.parse(readFileSync(dist + EMBED_MANIFEST, 'utf8'))
const tv = JSON.parse(readFileSync(dist + TV_MANIFEST, 'utf8'))
const rows = [
  ...VIEWS.map((view) => ({ ...view, manifest, entries: ['index.html', ...view.entries] })),
  ...EMBEDS.map((embed) => ({ ...embed, manifest: embeds })),
  { ...TV, manifest: tv },
]

const gzipBytes = (file) => gzipSync(readFileSync(dist + file), { level: 9 }).length
const sum = (files) => [...new Set(files)].reduce((bytes, file) => bytes + gzipBytes(file), 0)
const kb = (bytes) => (bytes / 1000).toFixed(1)

let tooLarge = false
console.log('view            script kB  style kB  limit   (gzip)')
for (const { name, entries, limitKb, manifest: chunks } of rows) {
  const keys = new Set()
  for (const entry of entries) closure(chunks, entry, keys)
  const scripts = sum([...keys].map((key) => chunks[key].file))
  const styles = sum(stylesOf(chunks, keys))
  const isOver = limitKb !== undefined && scripts > limitKb * 1000
  tooLarge ||= isOver
  const limit = limitKb === undefined ? '–' : `${limitKb}${isOver ? ' EXCEEDED' : ''}`
  console.log(`${name.padEnd(14)}  ${kb(scripts).padStart(9)}  ${kb(styles).padStart(8)}  ${limit}`)
}
/** TypeBox marks every schema with this property. */
const withSchemas = [manifest, embeds, tv]
  .flatMap(Object.values)
  .filter(({ file }) => file.endsWith('.js') && readFileSync(dist + file, 'utf8').includes('~kind'))
for (const { file } of withSchemas)
  console.log(`${file} contains schemas; see \`treeshake\` in vite.config.ts`)
if ((tooLarge || withSchemas.length > 0) && process.argv.includes('--check')) process.exit(1)
