import { errors } from '@looptide/service-kit/http/errors'
import type { PageSource, WebPage } from './page-template.ts'

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
