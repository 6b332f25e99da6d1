import {
  authPasskeyAuthenticate,
  authPasskeyAuthenticationOptions,
  authPasskeyDelete,
  authPasskeyList,
  authPasskeyRegister,
  authPasskeyRegistrationOptions,
  authPasskeyRename,
} from '@looptide/contracts/operations/auth/factors'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { protocolRoute, type Route } from '@looptide/service-kit/routes/route'
import type { PasskeyRegistration } from '../../features/credential/passkey/passkey-registration.ts'
import type { PasskeyService } from '../../features/credential/passkey/passkey-service.ts'
import type { PasskeySignIn } from '../../features/credential/passkey/passkey-sign-in.ts'
import type { LimitedAttempt, RateLimits } from '../../features/limits/rate-limits.ts'
import type { SignInGuard } from '../../features/limits/sign-in-guard.ts'
import { clientOf } from '../../features/session/client-of.ts'
import { callerCause, callerOf } from '../bearer.ts'
import { recordSignInNetwork } from '../record-network.ts'

export interface PasskeyDeps {
  passkeys: PasskeyService
  passkeySignIn: PasskeySignIn
  limits: RateLimits
  signInGuard: SignInGuard
  passkeyRegistration: PasskeyRegistration
}

/** Routes of the auth protocol about passkeys. */
export function passkeyRoutes(deps: PasskeyDeps): Route[] {
  const { passkeys, passkeySignIn, limits, passkeyRegistration } = deps
  return [
    protocolRoute(authPasskeyAuthenticationOptions, async ({ request }) => {
      await limits.consume(['passkey-challenge-network', clientIp(request)])
      return passkeySignIn.options()
    }),
    protocolRoute(authPasskeyAuthenticate, async ({ request, body }) => {
      const attempt: LimitedAttempt = ['passkey-network', clientIp(request)]
      await limits.consume(attempt)
      const { challenge_id: challengeId, credential } = body
      const session = await passkeySignIn.signIn(challengeId, credential, clientOf(request))
      await limits.refund(attempt)
      return recordSignInNetwork(request, session, deps)
    }),
    protocolRoute(authPasskeyRegistrationOptions, async ({ request }) => {
      const caller = callerOf(request)
      await limits.consume(['update-account', caller.user.id])
      return passkeyRegistration.options(caller)
    }),
    protocolRoute(authPasskeyRegister, async ({ request, body }) => {
      const caller = callerOf(request)
      await limits.consume(['passkey-account', caller.user.id])
      const { challenge_id: challengeId, credential } = body
      return passkeyRegistration.register(caller, challengeId, credential, callerCause(caller, request))
    }),
    protocolRoute(authPasskeyList, ({ request }) => passkeys.list(callerOf(request).user.id)),
    protocolRoute(authPasskeyRename, async ({ request, params, body }) => {
      const { user } = callerOf(request)
      await limits.consume(['update-account', user.id])
      return passkeys.rename(user.id, params.passkeyId, body.friendly_name.trim())
    }),
    protocolRoute(authPasskeyDelete, async ({ request, params }) => {
      const caller = callerOf(request)
      await limits.consume(['passkey-account', caller.user.id])
      await passkeys.remove(caller, params.passkeyId, callerCause(caller, request))
    }),
  ]
}
