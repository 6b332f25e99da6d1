import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '@looptide/service-kit/http/app'
import { AppError } from '@looptide/service-kit/http/errors'

const SOCKET_PATH = '/realtime/v1/'
const API_PATHS = ['/api/', '/auth/v1/', SOCKET_PATH]
const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'apikey']
/** Parameters of `/auth/v1` (links of mails, callbacks of providers) and keys in the address. */
const CREDENTIAL_PARAMETERS = [
  'token',
  'token_hash',
  'code',
  'state',
  'access_token',
  'refresh_token',
  'apikey',
]

/**
 * Whether the client sent its request over plain http, by the header of the outermost proxy. A request without the header
 * came from inside, such as a probe. A client that sets the header itself only changes its own response.
 */
export function isPlainHttp({ 'x-forwarded-proto': header }: IncomingHttpHeaders): boolean {
  const [scheme = ''] = (typeof header === 'string' ? header : (header ?? []).join(',')).split(',')
  return scheme.trim().toLowerCase() === 'http'
}

/** Whether a request carries something that must not be sent in clear text, or belongs to a client that sends such. */
function hasCredentials({ headers, url }: { headers: IncomingHttpHeaders; url: string }): boolean {
  if (CREDENTIAL_HEADERS.some((name) => headers[name] !== undefined)) return true
  const query = new URLSearchParams(url.split('?')[1])
  return CREDENTIAL_PARAMETERS.some((name) => query.has(name))
}

/**
 * `REQUIRE_HTTPS`: redirects pages and public reads without credentials that were requested over plain http, such as a
 * `webcal:` link, and refuses everything else. A redirected request with a token would succeed and hide that the token was
 * sent in clear text (ASVS 4.1.2).
 */
export function requireHttps(app: App, siteUrl: string): void {
  const { origin } = new URL(siteUrl)
  app.addHook('onRequest', async (request, reply) => {
    if (!isPlainHttp(request.headers)) return
    const isApi = API_PATHS.some((path) => request.url.startsWith(path))
    const isRead = ['GET', 'HEAD'].includes(request.method) && !request.url.startsWith(SOCKET_PATH)
    if (!isRead || (isApi && hasCredentials(request))) throw new AppError('https_required', 'Use https.')
    return reply.redirect(origin + request.url, 308)
  })
}
