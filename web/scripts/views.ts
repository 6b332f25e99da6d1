import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** A view, by the chunks that render it on a first visit to `path` and all paths below it. */
export interface View {
  name: string
  path: string
  /** Who sees it, where others see another view at the same path. */
  session?: 'signedIn' | 'signedOut'
  /** The source files of the chunks, as Vite's manifest names them. */
  entries: readonly string[]
  /** Maximum gzipped JavaScript in kB. */
  limitKb?: number
}

const view = (path: string, page: string, limitKb?: number): View => ({
  name: path,
  path,
  entries: [page, 'src/app/app-header.tsx'],
  ...(limitKb !== undefined && { limitKb }),
})
const root = (session: 'signedIn' | 'signedOut', page: string, limitKb: number): View[] =>
  ['/', '/home'].map((path) => ({
    ...view(path, page, limitKb),
    name: `${path} ${session === 'signedIn' ? 'signed in' : 'signed out'}`,
    session,
  }))

/** A view whose page is loaded by `more-pages.ts`. */
const more = (path: string, page: string): View => {
  const { entries, ...rest } = view(path, page)
  return { ...rest, entries: ['src/app/more-pages.ts', ...entries] }
}

export const VIEWS: readonly View[] = [
  ...root('signedOut', 'src/features/sign-in/sign-in-page.tsx', 122),
  ...root('signedIn', 'src/app/pages/home-page.tsx', 120),
  { name: '/live', path: '/live', entries: ['src/app/pages/live-page.tsx'], limitKb: 145 },
  view('/videos', 'src/app/pages/videos-page.tsx', 116),
  more('/search', 'src/features/search/search-page.tsx'),
  more('/members', 'src/features/profile/names-page.tsx'),
  more('/playlists', 'src/features/playlists/playlist-page.tsx'),
  more('/youtube-player', 'src/features/playlists/player/player-page.tsx'),
  more('/history', 'src/app/pages/history-page.tsx'),
  more('/pair', 'src/features/pair/pair-page.tsx'),
  more('/remote', 'src/features/remote/remote-page.tsx'),
  more('/firestick', 'src/app/pages/firestick-page.tsx'),
  more('/admin', 'src/app/admin/admin-page.tsx'),
  more('/control', 'src/app/admin/control-page.tsx'),
  more('/submissions', 'src/features/submissions/submissions-page.tsx'),
  more('/takeover', 'src/features/takeover/takeover-page.tsx'),
]

/** The manifest of the embeds, which are a build of their own. */
export const EMBED_MANIFEST = '.vite/embed-manifest.json'

/** The embeds, by their chunks. */
export const EMBEDS: readonly Pick<View, 'name' | 'entries' | 'limitKb'>[] = [
  { name: '/embed now', entries: ['embed.html'], limitKb: 60 },
  { name: '/embed player', entries: ['embed.html', 'src/embed/player.ts'], limitKb: 150 },
  { name: '/embed chat', entries: ['embed.html', 'src/embed/chat.ts'], limitKb: 60 },
]

/** The manifest of the page for Google Cast devices, which is a build of its own. */
export const CAST_MANIFEST = '.vite/cast-manifest.json'

/** The manifest of the page for televisions, which is a build of its own. */
export const TV_MANIFEST = '.vite/tv-manifest.json'

/** The page for televisions: one chunk, transpiled and with polyfills. */
export const TV: Pick<View, 'name' | 'entries' | 'limitKb'> = {
  name: '/tv',
  entries: ['tv.html'],
  limitKb: 140,
}

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

/** The stylesheet of all pages, which contains that of the first views: see `first-styles.ts`. */
const ALL_STYLES = /\/all-[\w-]+\.css$/

/** The stylesheets of chunks. */
export function stylesOf(manifest: Manifest, keys: Iterable<string>): string[] {
  const files = new Set([...keys].flatMap((key) => manifest[key]?.css ?? []))
  const hasAll = [...files].some((file) => ALL_STYLES.test(file))
  const first = hasAll ? (manifest['index.html']?.css ?? []) : []
  return [...files].filter((file) => !first.includes(file))
}

/** The files that a path loads in addition to those of every page, by who loads them. */
interface PathFiles {
  files: string[]
  /** The stylesheet of every page that the files contain. */
  contained?: string
  signedIn?: string[]
  signedOut?: string[]
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
      const [firstStyles] = manifest['index.html']?.css ?? []
      const filesOf = (own: readonly View[]): string[] => {
        const keys = new Set<string>()
        for (const entry of own.flatMap(({ entries }) => entries)) closure(manifest, entry, keys)
        const files = [...keys]
          .filter((key) => !always.has(key))
          .flatMap((key) => [manifest[key]?.file ?? [], manifest[key]?.css ?? []].flat())
        return [...new Set(files)].map((file) => `/${file}`)
      }
      const paths = [...new Set(VIEWS.map(({ path }) => path))]
      const table = paths.map((path): [string, PathFiles] => {
        const views = VIEWS.filter((each) => each.path === path)
        const [signedIn, signedOut] = (['signedIn', 'signedOut'] as const).map((session) =>
          filesOf(views.filter((each) => each.session === session)),
        ) as [string[], string[]]
        const files = filesOf(views)
        const hasAllStyles = files.some((file) => ALL_STYLES.test(file))
        if (signedIn.length === 0)
          return [path, { files, ...(hasAllStyles && { contained: `/${firstStyles}` }) }]
        const isForAll = (file: string) => signedIn.includes(file) && signedOut.includes(file)
        return [
          path,
          {
            files: files.filter(isForAll),
            signedIn: signedIn.filter((file) => !isForAll(file)),
            signedOut: signedOut.filter((file) => !isForAll(file)),
          },
        ]
      })
      await writeFile(join(folder, 'preloads.json'), JSON.stringify(Object.fromEntries(table)))
    },
  }
}
