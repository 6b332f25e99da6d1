import type { WebConfig } from '@looptide/contracts/realtime'
import { escapeHtml } from './head-tags.ts'

/** The part of the built page's head that is replaced. */
const HEAD = /<!--page-->[\s\S]*?<!--\/page-->/
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
  preloads: Record<string, string[]>
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
    this.#config = configTag(config)
  }

  /** Null while the web app is not built. */
  async fill({ head, nonce, path, picture }: PageParts): Promise<string | null> {
    const loaded = await this.#source.load()
    if (loaded === null) return null
    const preloads = preloadsFor(loaded.preloads, path).map(preloadTag)
    const all = head + this.#config + preloads.join('')
    const html = loaded.html.replace(HEAD, () => all).replaceAll(NONCE, nonce)
    return picture === undefined ? html : html.replace(ROOT, () => rootWithPicture(picture))
  }
}

/** At 400 kbit/s the app loads in three seconds and a picture in less than one. */
const rootWithPicture = (picture: string): string =>
  `<div id="root"><img class="first-picture" src="${escapeHtml(picture)}" alt="" fetchpriority="high"></div>`

/** The response of `/api/config` as a JSON data block, which the app reads without a request. No script runs. */
function configTag(config: WebConfig): string {
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="station-config">${json}</script>`
}

/** The preloads of the longest known path prefix. `/` matches only itself. */
function preloadsFor(preloads: Record<string, string[]>, path: string): string[] {
  const matching = Object.keys(preloads).filter(
    (known) => path === known || (known !== '/' && path.startsWith(`${known}/`)),
  )
  const longest = matching.toSorted((a, b) => b.length - a.length)[0]
  return longest === undefined ? [] : (preloads[longest] ?? [])
}

function preloadTag(file: string): string {
  if (file.endsWith('.css')) return `<link rel="stylesheet" href="${file}">`
  if (file.endsWith('.woff2'))
    return `<link rel="preload" as="font" type="font/woff2" href="${file}" crossorigin>`
  return `<link rel="modulepreload" crossorigin href="${file}">`
}
