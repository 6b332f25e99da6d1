import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errors } from '@looptide/service-kit/http/errors'
import type { PageSource, PathFiles, WebPage } from './page-template.ts'

/** A page of the built web app. It is read again after a new build. */
export class BuiltPage implements PageSource {
  readonly #root: string
  readonly #file: string
  #loaded: (WebPage & { modifiedAtMs: number }) | undefined

  /** `file`: its path in the folder of the build. */
  constructor(root: string, file: string) {
    this.#root = root
    this.#file = join(root, file)
  }

  async load(): Promise<WebPage | null> {
    const modifiedAtMs = await stat(this.#file).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    )
    if (modifiedAtMs === null) return null
    if (this.#loaded?.modifiedAtMs === modifiedAtMs) return this.#loaded
    const html = await readFile(this.#file, 'utf8')
    this.#loaded = { modifiedAtMs, html, preloads: await this.#readPreloads() }
    return this.#loaded
  }

  async #readPreloads(): Promise<Record<string, PathFiles>> {
    try {
      const text = await readFile(join(this.#root, '.vite/preloads.json'), 'utf8')
      return JSON.parse(text) as Record<string, PathFiles>
    } catch {
      return {}
    }
  }
}

const TIMEOUT_MS = 10_000

/** The page as Vite serves it: with its client for hot updates, and `__CSP_NONCE__` on its inline scripts. */
export class DevelopmentPage implements PageSource {
  readonly #url: string

  constructor(webDevUrl: string) {
    this.#url = webDevUrl
  }

  async load(): Promise<WebPage> {
    try {
      const response = await fetch(this.#url, {
        headers: { accept: 'text/html' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return { html: await response.text(), preloads: {} }
    } catch (error) {
      throw errors.unavailable('Vite', error)
    }
  }
}
