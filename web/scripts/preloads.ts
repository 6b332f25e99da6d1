import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { closure, type Manifest, VIEWS } from './views.ts'

/**
 * Writes `.vite/preloads.json`: for each path, the files of its view except those that every page loads. The gateway
 * adds them to the page's head as preloads, so that the browser fetches them before the app runs.
 */
export function preloads(): Plugin {
  let folder = ''
  return {
    name: 'preloads',
    apply: 'build',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir, '.vite')
    },
    closeBundle: async () => {
      const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
      const always = closure(manifest, 'index.html')
      const table = Object.fromEntries(
        VIEWS.map(({ path, entry }) => {
          const own = [...closure(manifest, entry)].filter((key) => !always.has(key))
          const files = own.flatMap((key) => [manifest[key]?.file ?? [], manifest[key]?.css ?? []].flat())
          return [path, [...new Set(files)].map((file) => `/${file}`)]
        }),
      )
      await writeFile(join(folder, 'preloads.json'), JSON.stringify(table))
    },
  }
}
