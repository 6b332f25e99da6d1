import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '@looptide/service-kit/http/app'
import { AppError } from '@looptide/service-kit/http/errors'

const API_PATHS = ['/api/', '/auth/v1/', '/realtime/v1/']

/**
 * Whether the client sent its request over plain http, by the header of the outermost proxy. A request without the header
 * came from inside, such as a probe. A client that sets the header itself only changes its own response.
 */
export function isPlainHttp({ 'x-forwarded-proto': header }: IncomingHttpHeaders): boolean {
  const [scheme = ''] = (typeof header === 'string' ? header : (header ?? []).join(',')).split(',')
  return scheme.trim().toLowerCase() === 'http'
}

/**
 * `REQUIRE_HTTPS`: redirects pages that were requested over plain http, and refuses everything else. A redirected API
 * request would succeed and hide that its token was sent in clear text (ASVS 4.1.2).
 */
export function requireHttps(app: App, siteUrl: string): void {
  const { origin } = new URL(siteUrl)
  app.addHook('onRequest', async (request, reply) => {
    if (!isPlainHttp(request.headers)) return
    const isPage =
      ['GET', 'HEAD'].includes(request.method) && !API_PATHS.some((path) => request.url.startsWith(path))
    if (!isPage) throw new AppError('https_required', 'Use https.')
    return reply.redirect(origin + request.url, 308)
  })
}
