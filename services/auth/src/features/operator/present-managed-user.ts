import type { Role } from '@looptide/contracts/common'
import type { IdentityRow } from '../user/identity-repository.ts'
import { appMetadataOf } from '../user/present-identities.ts'
import { presentUser } from '../user/present-user.ts'
import type { RestrictionRow } from '../user/restriction-repository.ts'
import type { UserRow } from '../user/user-repository.ts'

/** End of a permanent ban: the protocol requires a time. */
const FOREVER = '9999-12-31T23:59:59.000Z'

/** The user object of the admin API: with the station role in `app_metadata`, and the end of a site ban. */
export const presentManagedUser = (
  user: UserRow,
  identities: readonly IdentityRow[],
  role: Role,
  ban: RestrictionRow | undefined,
): Record<string, unknown> => ({
  ...presentUser(user, { identities }),
  app_metadata: { ...appMetadataOf(user, identities), role },
  ...(ban === undefined ? {} : { banned_until: ban.expiresAt?.toISOString() ?? FOREVER }),
})
