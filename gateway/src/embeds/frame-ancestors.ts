import { EmbedSettings } from '@looptide/contracts/http/embeds'
import { parseJson } from '@looptide/service-kit/events/parse-json'
import { Check } from 'typebox/value'
import type { SharedResponses } from '../fast-path/shared-responses.ts'

const PATH = '/api/embeds'
const RULE = { pattern: /^\/api\/embeds$/ }

/**
 * Whose pages may show embeds, as the sources of `frame-ancestors`. From the shared answer of admin-audit, which is outdated
 * by the audit event of a change. While admin-audit is down, the last known list is used, before the first one only the
 * station's own pages.
 */
export class FrameAncestors {
  readonly #shared: Pick<SharedResponses, 'load'>
  #sources: readonly string[] = ["'self'"]
  #text = ''

  constructor(shared: Pick<SharedResponses, 'load'>) {
    this.#shared = shared
  }

  async sources(): Promise<readonly string[]> {
    const text = (await this.#shared.load('admin-audit', RULE, PATH, {}))?.text.body
    if (text === undefined || text === this.#text) return this.#sources
    const settings = parseJson(Buffer.from(text))
    // The schema lets no character into the header that would end the directive.
    if (Check(EmbedSettings, settings)) {
      this.#sources = settings.origins === null ? ['*'] : ["'self'", ...settings.origins]
      this.#text = text
    }
    return this.#sources
  }
}
