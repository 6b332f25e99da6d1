import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PageQuery } from '@looptide/contracts/common'
import { SignInPage } from '@looptide/contracts/http/users'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { AppError } from '@looptide/service-kit/http/errors'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { SignInHistory } from '../sign-in-history.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** `GET /api/me/sign-ins`. Errors: `invalid_cursor`. */
export const listSignIns: FastifyPluginAsyncTypebox<{ signIns: SignInHistory }> = async (
  app,
  { signIns },
) => {
  app.get(
    '/api/me/sign-ins',
    {
      schema: { querystring: PageQuery, response: { 200: SignInPage } },
      config: { operation: 'auth.sign_in.list' },
    },
    async (request) => {
      const { limit = 100, cursor } = request.query
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const rows = await signIns.list(signedIn(request).id, { after, limit })
      return toPage(
        rows,
        limit,
        ({ id, method, succeeded, device, network, createdAt }) => ({
          id,
          method,
          succeeded,
          device,
          network,
          createdAt: createdAt.toISOString(),
        }),
        (row) => [row.id],
      )
    },
  )
}

/** The id of the last row of the previous page. */
function readCursor(cursor: string): string {
  const [id] = decodeCursor(cursor, ['string'])
  if (!UUID.test(id)) throw new AppError('invalid_cursor', 'The cursor is invalid.')
  return id
}
