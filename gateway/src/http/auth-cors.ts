import type { App } from '@looptide/service-kit/server'

const AUTH = '/auth/v1/'

/**
 * Lets auth clients on other origins in (docs/protocols/auth.md §1). Any origin may ask: nothing rides on
 * cookies, whoever calls has to bring the token. The exposed header carries the API version, without
 * which browsers lose every error code.
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
