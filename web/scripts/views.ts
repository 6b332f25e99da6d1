import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** A view, by the chunk that renders it on a first visit to `path`. */
export interface View {
  name: string
  path: string
  /** The source file of the chunk, as Vite's manifest names it. */
  entry: string
  /** Maximum gzipped JavaScript in kB. */
  limitKb?: number
}

export const VIEWS: readonly View[] = [
  { name: '/ signed out', path: '/', entry: 'src/features/sign-in/sign-in-page.tsx', limitKb: 130 },
  { name: '/ signed in', path: '/home', entry: 'src/app/pages/home-page.tsx', limitKb: 170 },
  { name: '/live', path: '/live', entry: 'src/app/pages/live-page.tsx', limitKb: 170 },
  { name: '/search', path: '/search', entry: 'src/features/search/search-page.tsx' },
  { name: '/admin', path: '/admin', entry: 'src/app/admin/admin-page.tsx' },
]

export type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>

/** The chunk `key` and all chunks it imports statically. */
export function closure(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  if (!(key in manifest))
    throw new Error(`The build has no chunk ${key}. If the file moved, update web/scripts/views.ts.`)
  if (found.has(key)) return found
  found.add(key)
  for (const imported of manifest[key]?.imports ?? []) closure(manifest, imported, found)
  return found
}

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
