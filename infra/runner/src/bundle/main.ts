import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repositoryRoot } from '@looptide/backing/paths'
import { type Plugin, rolldown } from 'rolldown'
import { stationServices } from '../processes/services.ts'

// `node src/bundle/main.ts FOLDER`: bundles every program of the services, and the runner's, into FOLDER, replacing it as a whole.
// Programs share chunks, and keep the folder layout of the sources, because a service finds its migrations beside
// `migrate.ts`.

/** The files of a service that are loaded by their path; not every service has all of them. */
const PROGRAMS = ['src/main', 'src/process', 'src/migrate', 'src/seed-demo', 'src/create-admin'] as const
/** Packages with native code: imported from node_modules by absolute path, because their binaries cannot be bundled. */
const NATIVE = /^@node-rs\//

const keepNativeOutside: Plugin = {
  name: 'keep-native-outside',
  async resolveId(source, importer) {
    if (!NATIVE.test(source)) return null
    const resolved = await this.resolve(source, importer, { skipSelf: true })
    return resolved === null ? null : { id: resolved.id, external: 'absolute' }
  },
}

/**
 * Modules find the files they read at run time, such as pages and workers, beside their sources. Only `migrate.ts`
 * finds the bundled migrations, beside its own bundle.
 */
const keepFileLocations: Plugin = {
  name: 'keep-file-locations',
  transform: {
    filter: {
      id: { exclude: /\/src\/migrate\.ts$/ },
      code: /\b__dirname\b|\b__filename\b|\bimport\.meta\.url\b/,
    },
    handler: (code, id) =>
      code
        .replace(/\b__dirname\b/g, () => JSON.stringify(dirname(id)))
        .replace(/\b__filename\b/g, () => JSON.stringify(id))
        .replace(/\bimport\.meta\.url\b/g, () => JSON.stringify(pathToFileURL(id).href)),
  },
}

/** The sources that become files of their own, by their path without the extension. */
function entries(): Record<string, string> {
  const paths = stationServices.flatMap(({ folder }) => {
    const programs = PROGRAMS.map((program) => `${folder}/${program}`)
    const migrations = `${folder}/src/db/migrations`
    const names = existsSync(join(repositoryRoot, migrations))
      ? readdirSync(join(repositoryRoot, migrations)).filter((name) => name.endsWith('.ts'))
      : []
    return [
      ...programs.filter((path) => existsSync(join(repositoryRoot, `${path}.ts`))),
      ...names.map((name) => `${migrations}/${name.replace(/\.ts$/, '')}`),
    ]
  })
  paths.push('infra/runner/src/one-process/main', 'infra/runner/src/run')
  return Object.fromEntries(paths.map((path) => [path, join(repositoryRoot, `${path}.ts`)]))
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder to bundle into.')
const unfinished = `${folder}.unfinished`
rmSync(unfinished, { recursive: true, force: true })
const bundle = await rolldown({
  input: entries(),
  platform: 'node',
  plugins: [keepNativeOutside, keepFileLocations],
})
await bundle.write({
  dir: unfinished,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // V8 keeps the source of every loaded file, and a single character beyond Latin-1 doubles its size in memory.
  charset: 'ascii',
  comments: false,
  // CommonJS packages among the bundled ones call `require` for Node's own modules.
  banner:
    "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
})
await bundle.close()
rmSync(folder, { recursive: true, force: true })
renameSync(unfinished, folder)
