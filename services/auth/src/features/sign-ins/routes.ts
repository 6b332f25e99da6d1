import { authSignInList } from '@looptide/contracts/operations/auth/accounts'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { AppError } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/http/route'
import type { SignInHistory } from './sign-in-history.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The id of the last row of the previous page. */
function readCursor(cursor: string): string {
  const [id] = decodeCursor(cursor, ['string'])
  if (!UUID.test(id)) throw new AppError('invalid_cursor', 'The cursor is invalid.')
  return id
}

/** Routes of the history of sign-ins. */
export const signInRoutes = ({ signIns }: { signIns: SignInHistory }): Route[] => [
  route(authSignInList, async ({ query, user }) => {
    const { limit = 100, cursor } = query
    const after = cursor === undefined ? undefined : readCursor(cursor)
    const rows = await signIns.list(user.id, { after, limit })
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
  }),
]
