import type { App } from '@looptide/service-kit/http/app'

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
