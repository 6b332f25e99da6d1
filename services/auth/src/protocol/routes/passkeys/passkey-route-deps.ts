import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { AccessTokens } from '../../../features/keys/access-tokens.ts'
import type { PasskeyService } from '../../../features/passkeys/passkey-service.ts'
import type { RateLimits } from '../../../limits/rate-limits.ts'

/** Dependencies of the routes about the caller's own passkeys. */
export interface PasskeyRouteDeps {
  db: Kysely<Database>
  tokens: AccessTokens
  passkeys: PasskeyService
  limits: RateLimits
}
