import type { WebConfig } from '@looptide/contracts/realtime'
import { escapeHtml } from './head-tags.ts'

/** The part of the built page's head that is replaced. */
const HEAD = /<!--page-->[\s\S]*?<!--\/page-->/
const HEAD_END = '</head>'
const NONCE = '__CSP_NONCE__'
/** The app's empty container. Its content is shown until the app renders. */
const ROOT = '<div id="root"></div>'

interface PageParts {
  /** Elements for the head. */
  head: string
  /** Nonce for the inline styles of libraries. */
  nonce: string
  /** The requested path. The files that its page loads first are preloaded. */
  path: string
  /** URL of the picture to show until the app renders. */
  picture?: string | undefined
}

/** The page as the web app's build or Vite provides it. */
export interface WebPage {
  html: string
  /** By path prefix: the files of a page in addition to those that every page loads. */
  preloads: Record<string, PathFiles>
}

/** Files that a page loads. Those of a session are chosen by the page's start script: the server does not know it. */
export interface PathFiles {
  files: string[]
  /** The stylesheet of every page that is not loaded here, because one of the files contains it. */
  contained?: string
  signedIn?: string[]
  signedOut?: string[]
}

/** Provides the page: the build of the web app, or Vite. */
export interface PageSource {
  /** Null while there is none. */
  load(): Promise<WebPage | null>
}

/** The HTML page of the web app, filled in for a path. */
export class PageTemplate {
  readonly #source: PageSource
  readonly #config: string

  constructor(source: PageSource, config: WebConfig) {
    this.#source = source
    this.#config = dataTag('station-config', config)
  }

  /** Null while the web app is not built. */
  async fill({ head, nonce, path, picture }: PageParts): Promise<string | null> {
    const loaded = await this.#source.load()
    if (loaded === null) return null
    const { files, contained, ...bySession } = preloadsFor(loaded.preloads, path)
    const built = contained === undefined ? loaded.html : loaded.html.replace(...disabledStyles(contained))
    // After the files of every page, which browsers with few connections would else request last.
    const preloads = dataTag('page-files', bySession) + files.map(preloadTag).join('')
    const html = fillHead(built, head + this.#config, nonce).replace(HEAD_END, () => preloads + HEAD_END)
    return picture === undefined ? html : html.replace(ROOT, () => rootWithPicture(picture))
  }
}

/** The page with its part of the head, and with the nonce for inline styles and, in development, scripts. */
export const fillHead = (html: string, head: string, nonce: string): string =>
  html.replace(HEAD, () => head).replaceAll(NONCE, nonce)

/** At 400 kbit/s the app loads in three seconds and a picture in less than one. */
const rootWithPicture = (picture: string): string =>
  `<div id="root"><img class="first-picture" src="${escapeHtml(picture)}" alt="" fetchpriority="high"></div>`

/**
 * A JSON data block, which the app reads without a request: the response of `/api/config`, and the files that the page
 * loads by session. No script runs.
 */
export function dataTag(id: string, data: object): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${id}">${json}</script>`
}

/** The preloads of the longest known path prefix. `/` matches only itself. */
function preloadsFor(preloads: Record<string, PathFiles>, path: string): PathFiles {
  const matching = Object.keys(preloads).filter(
    (known) => path === known || (known !== '/' && path.startsWith(`${known}/`)),
  )
  const longest = matching.toSorted((a, b) => b.length - a.length)[0]
  return (longest === undefined ? undefined : preloads[longest]) ?? { files: [] }
}

/**
 * The link to a stylesheet as the build writes it, and the same link when it loads nothing. Without a link, the app would
 * load the file with the first chunk that names it, and its rules would come after those that contain them.
 */
const disabledStyles = (file: string): [string, string] => [
  `<link rel="stylesheet" crossorigin href="${file}">`,
  `<link rel="stylesheet" crossorigin href="${file}" disabled>`,
]

function preloadTag(file: string): string {
  if (file.endsWith('.css')) return `<link rel="stylesheet" href="${file}">`
  if (file.endsWith('.woff2'))
    return `<link rel="preload" as="font" type="font/woff2" href="${file}" crossorigin>`
  return `<link rel="modulepreload" crossorigin href="${file}">`
}
