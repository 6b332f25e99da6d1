import {
  authPersonalTokenCreate,
  authPersonalTokenList,
  authPersonalTokenRevoke,
  authPersonalTokenRevokeAll,
} from '@looptide/contracts/operations/auth/accounts'
import { authPersonalTokenExchange } from '@looptide/contracts/operations/auth/users'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { RateLimits } from '../../limits/rate-limits.ts'
import type { PersonalTokenService } from './personal-token-service.ts'

/** Routes of personal access tokens. */
export const personalTokenRoutes = ({
  personalTokens,
  limits,
}: {
  personalTokens: PersonalTokenService
  limits: RateLimits
}): Route[] => [
  route(authPersonalTokenExchange, ({ body }) =>
    personalTokens.exchange(Buffer.from(body.digest, 'base64url')),
  ),
  route(authPersonalTokenList, async ({ user }) => ({ items: await personalTokens.list(user.id) })),
  route(authPersonalTokenCreate, async ({ user, body, cause }) => {
    await limits.consume(['personal-token-account', user.id])
    return personalTokens.create(user, body, cause)
  }),
  route(authPersonalTokenRevoke, ({ user, params, cause }) =>
    personalTokens.revoke(user, params.tokenId, cause),
  ),
  route(authPersonalTokenRevokeAll, ({ user, cause }) => personalTokens.revokeAll(user, cause)),
]
