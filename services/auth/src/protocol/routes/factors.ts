import type { EnrollFactorBody, VerifyFactorBody } from '@looptide/contracts/http/auth'
import {
  authFactorChallenge,
  authFactorEnroll,
  authFactorUnenroll,
  authFactorVerify,
  authRecoveryCodeCreate,
  authRecoveryCodeDelete,
  authRecoveryCodeRead,
  authRecoveryCodeReplace,
  authRecoveryCodeVerify,
} from '@looptide/contracts/operations/auth/factors'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { protocolRoute, type Route } from '@looptide/service-kit/routes/route'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { AccountError } from '../../account-error.ts'
import type { FactorService } from '../../features/credential/factor/factor-service.ts'
import type {
  FactorAnswer,
  FactorVerification,
} from '../../features/credential/factor/factor-verification.ts'
import type {
  RecoveryCodeService,
  RecoveryCodeSet,
} from '../../features/credential/factor/recovery-code-service.ts'
import type { LimitedAttempt, RateLimits } from '../../features/limits/rate-limits.ts'
import type { SignInGuard } from '../../features/limits/sign-in-guard.ts'
import type { Caller } from '../../features/session/caller.ts'
import { clientOf } from '../../features/session/client-of.ts'
import type { Client } from '../../features/session/sign-in-history.ts'
import { requireAddress } from '../../features/user/require-address.ts'
import { AuthError } from '../auth-error.ts'
import { callerCause, callerOf } from '../bearer.ts'
import { recordSignInNetwork } from '../record-network.ts'

export interface FactorDeps {
  limits: RateLimits
  signInGuard: SignInGuard
  recoveryCodes: RecoveryCodeService
  factors: FactorService
  /** Shown by the authenticator app if the request names no issuer. */
  brandName: string
  /** Whether the station's address permits security keys. */
  hasPasskeys: boolean
  factorVerification: FactorVerification
}

const DEFAULT_NAME = 'Recovery codes'

/** Routes of the auth protocol about second factors. */
export const factorRoutes = (deps: FactorDeps): Route[] => [
  protocolRoute(authFactorEnroll, async ({ request, body }) => {
    const { caller } = await readFactorCaller(request, deps)
    return enroll(caller, body, deps)
  }),
  protocolRoute(authFactorChallenge, async ({ request, params: { factorId } }) => {
    const { caller, client } = await readFactorCaller(request, deps)
    const challenge = await deps.factorVerification.challenge(caller, factorId, client)
    const { id, type, expiresAt, request: webauthn } = challenge
    return { id, type, expires_at: expiresAt, ...(webauthn === undefined ? {} : { webauthn }) }
  }),
  protocolRoute(authFactorVerify, async ({ request, body, params }) => {
    const { caller, client } = await readFactorCaller(request, deps)
    const given = readAnswer(body)
    const attempts = await deps.signInGuard.admitFactor(caller.user, clientIp(request))
    const session = await deps.factorVerification.verify(caller, params.factorId, given, client)
    await deps.limits.refund(...attempts)
    return recordSignInNetwork(request, session, deps)
  }),
  protocolRoute(authFactorUnenroll, async ({ request, params }) => {
    const { caller, client } = await readFactorCaller(request, deps)
    await deps.factors.unenroll(caller, params.factorId, client.cause)
    return { id: params.factorId }
  }),
]

/** Routes of the auth protocol about recovery codes. */
export const recoveryCodeRoutes = (deps: FactorDeps): Route[] => [
  protocolRoute(authRecoveryCodeRead, async ({ request }) => {
    const { caller } = await readFactorCaller(request, deps)
    const { id, total, remaining } = await deps.recoveryCodes.status(caller)
    return { id, type: 'recovery_code', total, remaining }
  }),
  protocolRoute(authRecoveryCodeCreate, async ({ request, body }) => {
    const { caller, client } = await readFactorCaller(request, deps)
    const name = body?.friendly_name || DEFAULT_NAME
    return presentCodes(await deps.recoveryCodes.create(caller, name, client.cause))
  }),
  protocolRoute(authRecoveryCodeReplace, async ({ request }) => {
    const { caller, client } = await readFactorCaller(request, deps)
    return presentCodes(await deps.recoveryCodes.replace(caller, client.cause))
  }),
  protocolRoute(authRecoveryCodeVerify, async ({ request, body }) => {
    const { caller, client } = await readFactorCaller(request, deps)
    const attempt: LimitedAttempt = ['recovery-code', caller.user.id, clientIp(request)]
    const exhausted = await deps.limits.tryConsume(attempt)
    if (exhausted !== undefined) {
      const message = 'Too many wrong recovery codes. Try again later.'
      throw new AccountError('recovery_codes_locked', message, { retryAfterMs: exhausted.retryAfterMs })
    }
    const session = await deps.recoveryCodes.verify(caller, body.code, client)
    await deps.limits.refund(attempt)
    return recordSignInNetwork(request, session, deps)
  }),
  protocolRoute(authRecoveryCodeDelete, async ({ request }) => {
    const { caller, client } = await readFactorCaller(request, deps)
    return { id: await deps.recoveryCodes.remove(caller, client.cause) }
  }),
]

/**
 * The caller of a request about second factors, which counts for its network. Errors: `email_not_confirmed` for an
 * anonymous user.
 */
async function readFactorCaller(
  request: FastifyRequest,
  deps: FactorDeps,
): Promise<{ caller: Caller; client: Client }> {
  await deps.limits.consume(['factor-network', clientIp(request)])
  const caller = callerOf(request)
  requireAddress(caller.user)
  return { caller, client: { ...clientOf(request), cause: callerCause(caller, request) } }
}

async function enroll(
  caller: Caller,
  { factor_type: type, friendly_name: name, issuer }: Static<typeof EnrollFactorBody>,
  { factors, hasPasskeys, brandName }: FactorDeps,
) {
  requireOffered(type, hasPasskeys)
  const friendlyName = name ?? ''
  if (type === 'webauthn') {
    const { id } = await factors.enrollKey(caller, friendlyName)
    return { id, type, friendly_name: friendlyName }
  }
  const { id, totp } = await factors.enrollApp(caller, { friendlyName, issuer: issuer || brandName })
  const { secret, uri, qrCode } = totp
  return { id, type, friendly_name: friendlyName, totp: { qr_code: qrCode, secret, uri } }
}

/** Refuses the types of factors that this station does not offer. */
function requireOffered(type: string, hasPasskeys: boolean): void {
  if (type === 'totp' || (type === 'webauthn' && hasPasskeys)) return
  if (type === 'phone') {
    throw new AuthError('mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone')
  }
  if (type === 'webauthn') {
    throw new AuthError('mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn')
  }
  throw AuthError.validation('factor_type needs to be totp, phone, or webauthn')
}

function readAnswer({
  challenge_id: challengeId,
  code,
  webauthn,
}: Static<typeof VerifyFactorBody>): FactorAnswer {
  if (webauthn) return { challengeId, webauthn }
  const digits = (code ?? '').replaceAll(/\s/g, '')
  if (digits === '') throw AuthError.validation('Code needs to be non-empty')
  return { challengeId, code: digits }
}

/** The answer with a new set of codes, the only one that contains them. */
const presentCodes = ({ factor, codes }: RecoveryCodeSet): Record<string, unknown> => ({
  id: factor.id,
  type: 'recovery_code',
  friendly_name: factor.friendlyName,
  total: codes.length,
  codes,
})
