import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayConfig } from '../config.ts'
import { policyText } from '../http/security-headers.ts'
import { headTags } from './head-tags.ts'
import type { PageFinder } from './page-finder.ts'
import type { PageTemplate } from './page-template.ts'

export interface PagesDeps {
  config: GatewayConfig
  finder: PageFinder
  template: PageTemplate
}

const compress = promisify(gzip)
const NONCE_BYTES = 16

/** Answers addresses that are pages: the app, with a head that says what the page is about. */
export class Pages {
  readonly #deps: PagesDeps

  constructor(deps: PagesDeps) {
    this.#deps = deps
  }

  /** Sends the page; null when there is no build to send. */
  async send(path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | null> {
    const { config, finder, template } = this.#deps
    const facts = await finder.find(request.url)
    const nonce = randomBytes(NONCE_BYTES).toString('base64')
    const picture = path === '/live' ? facts.image : undefined
    const html = await template.fill({ head: headTags(facts, config), nonce, path, picture })
    if (html === null) return null
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policyText(config, nonce))
      // A page names its scripts by their content: an old one would ask for files that are gone.
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(html)
    return reply.header('content-encoding', 'gzip').send(await compress(html))
  }
}
