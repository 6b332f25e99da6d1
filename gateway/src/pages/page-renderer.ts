import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayConfig } from '../config.ts'
import { newNonce, policyText } from '../http/security-headers.ts'
import { headTags } from './head-tags.ts'
import type { PageMetadataLoader } from './page-metadata-loader.ts'
import type { PageTemplate } from './page-template.ts'

interface PageRendererDeps {
  config: GatewayConfig
  metadata: PageMetadataLoader
  template: PageTemplate
  /** The page for televisions, which the app does not show. */
  tvTemplate: PageTemplate
}

const TV_PATH = '/tv'

const compress = promisify(gzip)

/** Sends the HTML page of a path, the app's for nearly all, with the metadata of the requested path in its head. */
export class PageRenderer {
  readonly #deps: PageRendererDeps

  constructor(deps: PageRendererDeps) {
    this.#deps = deps
  }

  /** Sends the page; null when the web app is not built. */
  async send(path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | null> {
    const { config, metadata: loader, template: appTemplate, tvTemplate } = this.#deps
    const isApp = path !== TV_PATH
    const template = isApp ? appTemplate : tvTemplate
    const metadata = await loader.load(request.url)
    const nonce = newNonce()
    const picture = path === '/live' ? metadata.image : undefined
    const html = await template.fill({ head: headTags(metadata, config), nonce, path, picture })
    if (html === null) return null
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policyText(config, { nonce, ...(isApp && { cast: 'sender' }) }))
      // The page names its scripts by content hash. A cached page would request files that no longer exist.
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(html)
    return reply.header('content-encoding', 'gzip').send(await compress(html))
  }
}
