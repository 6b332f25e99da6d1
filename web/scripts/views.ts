/** A view by the chunk that draws it: what a first visit to `path` has to fetch. */
export type View = {
  name: string
  path: string
  /** The source file of the chunk, as Vite's manifest names it. */
  entry: string
  /** Most kB of JavaScript, gzipped, that it may need. */
  limitKb?: number
}

export const VIEWS: readonly View[] = [
  { name: '/ signed out', path: '/', entry: 'src/features/sign-in/sign-in-page.tsx', limitKb: 130 },
  { name: '/ signed in', path: '/home', entry: 'src/app/pages/home-page.tsx', limitKb: 170 },
  { name: '/live', path: '/live', entry: 'src/app/pages/live-page.tsx', limitKb: 170 },
  { name: '/search', path: '/search', entry: 'src/features/search/search-page.tsx' },
  { name: '/admin', path: '/admin', entry: 'src/features/admin/dashboard/admin-page.tsx' },
]

export type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>

/** The chunks that `key` needs before it runs, itself included. */
export function closure(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  if (!(key in manifest)) throw new Error(`The build has no ${key}: has it moved? See web/scripts/views.ts.`)
  if (found.has(key)) return found
  found.add(key)
  for (const imported of manifest[key]?.imports ?? []) closure(manifest, imported, found)
  return found
}
