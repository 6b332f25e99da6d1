import type { App } from '@looptide/service-kit/http/app'

/** The feeds for other programs and pages: what is on, what was on, the lists for players, and the embed of a page. */
const FEEDS =
  /^\/api\/(?:(?:live\/)?nowplaying(?:[/?]|$)|(?:oembed|cards)(?:\?|$)|channels\.m3u|channels\/[^/?]+\/(?:history\.|media(?:\?|$)))/

/** Whether pages of every origin may read the answer. */
export const isFeed = (url: string): boolean => FEEDS.test(url)

/**
 * CORS for the feeds: pages of every origin may read them, because they are the same for everyone and no cookies exist.
 * Preflights are answered too: players send `Cache-Control` with their requests.
 */
export async function publicCors(app: App): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    if (!isFeed(request.url)) return
    reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
    if (request.method !== 'OPTIONS') return
    return reply
      .headers({
        'access-control-allow-methods': 'GET',
        'access-control-allow-headers': 'cache-control, pragma, expires, if-none-match, last-event-id',
        'access-control-max-age': '86400',
      })
      .status(204)
      .send()
  })
}

const AUTH = '/auth/v1/'

/**
 * CORS for auth clients on other origins, as in the GoTrue API. Every origin is allowed, because requests are
 * authenticated by a token and never by cookies. The exposed header carries the API version, which clients need to read
 * error codes.
 */
export async function authCors(app: App): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith(AUTH) || request.headers.origin === undefined) return
    reply.header('access-control-allow-origin', '*')
    reply.header('access-control-expose-headers', 'x-supabase-api-version')
  })
  app.options(`${AUTH}*`, { schema: { hide: true } }, async (_request, reply) =>
    reply
      .headers({
        'access-control-allow-methods': 'GET, POST, PUT, DELETE',
        'access-control-allow-headers':
          'authorization, apikey, content-type, x-client-info, x-supabase-api-version',
        'access-control-max-age': '86400',
      })
      .status(204)
      .send(),
  )
}
