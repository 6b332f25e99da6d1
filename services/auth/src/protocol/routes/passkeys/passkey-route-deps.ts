import type { PasskeyService } from '../../../features/passkeys/passkey-service.ts'
import type { RateLimits } from '../../../limits/rate-limits.ts'

/** Dependencies of the routes about the caller's own passkeys. */
export interface PasskeyRouteDeps {
  passkeys: PasskeyService
  limits: RateLimits
}
