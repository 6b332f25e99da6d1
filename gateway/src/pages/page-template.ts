import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { WebConfig } from '@looptide/contracts/realtime'
import { escapeHtml } from './head-tags.ts'

/** Between these the built page has the head it would show without us. */
const HEAD = /<!--page-->[\s\S]*?<!--\/page-->/
const NONCE = '__CSP_NONCE__'
/** The app's empty container. What is in it is shown until the app renders. */
const ROOT = '<div id="root"></div>'

export interface PageParts {
  /** Elements for the head. */
  head: string
  /** For the styles that libraries put into the page. */
  nonce: string
  /** The path asked for: what its page loads first is told to the browser at once. */
  path: string
  /** Address of the picture to show until the app renders. */
  picture?: string | undefined
}

interface Loaded {
  changedMs: number
  html: string
  /** By path prefix: the files that a page's code consists of beyond what every page loads. */
  preloads: Record<string, string[]>
}

/** The one page of the web app, filled in for an address. Read anew when a build has replaced it. */
export class PageTemplate {
  readonly #root: string
  readonly #config: string
  #loaded: Loaded | undefined

  constructor(root: string, config: WebConfig) {
    this.#root = root
    this.#config = asDataBlock(config)
  }

  /** Null while there is no build. */
  async fill({ head, nonce, path, picture }: PageParts): Promise<string | null> {
    const loaded = await this.#load()
    if (loaded === null) return null
    const preloads = preloadsOf(loaded.preloads, path).map(preloadTag)
    const all = head + this.#config + preloads.join('')
    const html = loaded.html.replace(HEAD, () => all).replaceAll(NONCE, nonce)
    return picture === undefined ? html : html.replace(ROOT, () => rootWith(picture))
  }

  async #load(): Promise<Loaded | null> {
    const file = join(this.#root, 'index.html')
    const changedMs = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    )
    if (changedMs === null) return null
    if (this.#loaded?.changedMs === changedMs) return this.#loaded
    const html = await readFile(file, 'utf8')
    this.#loaded = { changedMs, html, preloads: await this.#readPreloads() }
    return this.#loaded
  }

  async #readPreloads(): Promise<Record<string, string[]>> {
    try {
      const text = await readFile(join(this.#root, '.vite/preloads.json'), 'utf8')
      return JSON.parse(text) as Record<string, string[]>
    } catch {
      return {}
    }
  }
}

/** At 400 kbit/s the app takes three seconds to load, a picture less than one. */
const rootWith = (picture: string): string =>
  `<div id="root"><img class="first-picture" src="${escapeHtml(picture)}" alt="" fetchpriority="high"></div>`

/** What `/api/config` answers, for the app to read without asking. JSON in a data block: no script runs. */
function asDataBlock(config: WebConfig): string {
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="station-config">${json}</script>`
}

/** Those of the longest known path that the address begins with; `/` stands for itself alone. */
function preloadsOf(preloads: Record<string, string[]>, path: string): string[] {
  const fits = Object.keys(preloads).filter(
    (known) => path === known || (known !== '/' && path.startsWith(`${known}/`)),
  )
  const longest = fits.toSorted((a, b) => b.length - a.length)[0]
  return longest === undefined ? [] : (preloads[longest] ?? [])
}

function preloadTag(file: string): string {
  if (file.endsWith('.css')) return `<link rel="stylesheet" href="${file}">`
  if (file.endsWith('.woff2'))
    return `<link rel="preload" as="font" type="font/woff2" href="${file}" crossorigin>`
  return `<link rel="modulepreload" crossorigin href="${file}">`
}
