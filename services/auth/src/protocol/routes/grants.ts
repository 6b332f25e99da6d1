import { PasswordGrantBody, PkceGrantBody, RefreshGrantBody } from '@looptide/contracts/http/auth'
import { DEVICE_GRANT, DeviceGrantBody } from '@looptide/contracts/http/devices'
import { textNormaliser } from '@looptide/contracts/text-fields'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { AccountService } from '../../features/account/account-service.ts'
import type { VerificationService } from '../../features/account/verification-service.ts'
import type { DeviceAuthorization } from '../../features/credential/device/device-authorization.ts'
import { PROVIDER_CODE_PREFIX } from '../../features/credential/provider/provider-flows.ts'
import type { ProviderSignIn } from '../../features/credential/provider/provider-sign-in.ts'
import type { ProofOfWork } from '../../features/limits/proof-of-work.ts'
import type { RateLimits } from '../../features/limits/rate-limits.ts'
import type { SignInGuard } from '../../features/limits/sign-in-guard.ts'
import type { SignUpGuard } from '../../features/limits/sign-up-guard.ts'
import { clientOf } from '../../features/session/client-of.ts'
import type { RefreshService } from '../../features/session/refresh-service.ts'
import { AuthError } from '../auth-error.ts'
import { refusedGrant } from '../not-offered.ts'
import { readProof } from '../read-body.ts'
import { recordSignInNetwork } from '../record-network.ts'
import { requireKnownClient } from './devices.ts'

/** What the grants of `POST /token` need. */
export interface GrantDeps {
  accounts: AccountService
  refreshes: RefreshService
  verifications: VerificationService
  providerSignIn: ProviderSignIn
  limits: RateLimits
  proofs: ProofOfWork
  signInGuard: SignInGuard
  signUpGuard: SignUpGuard
  devices: DeviceAuthorization
}

type Grant = (request: FastifyRequest, deps: GrantDeps) => Promise<Record<string, unknown>>

const GRANTS: ReadonlyMap<string, Grant> = new Map<string, Grant>([
  ['password', byPassword],
  ['refresh_token', byRefreshToken],
  ['pkce', byCode],
  [DEVICE_GRANT, byDeviceCode],
])

/** The session for a grant of this type. Errors: `unsupported_grant_type`, and those of the grant. */
export function issueToken(type: string, request: FastifyRequest, deps: GrantDeps) {
  const grant = GRANTS.get(type)
  if (grant === undefined) throw refusedGrant(type, request.body)
  return grant(request, deps)
}

/** Normalises and validates the body. The schema depends on the query, so the route cannot declare it. */
function bodyReader<T extends TSchema>(schema: T): (request: FastifyRequest) => Static<T> {
  const normalise = textNormaliser(schema, 'body')
  return ({ body }) => {
    const value = normalise?.(body)
    if (Check(schema, value)) return value
    throw AuthError.validation('The request is invalid: a field is missing or has the wrong type')
  }
}

const passwordGrantOf = bodyReader(PasswordGrantBody)

const refreshGrantOf = bodyReader(RefreshGrantBody)

const pkceGrantOf = bodyReader(PkceGrantBody)

const deviceGrantOf = bodyReader(DeviceGrantBody)

async function byPassword(request: FastifyRequest, deps: GrantDeps) {
  const { accounts, limits, signInGuard } = deps
  const body = passwordGrantOf(request)
  // An invalid email is answered like an unknown one.
  const email = body.email.toLowerCase()
  const ip = clientIp(request)
  const proof = readProof(body)
  const attempts = await signInGuard.admit({ email, ip, proof })
  const session = await accounts.signIn(email, body.password, clientOf(request))
  await limits.refund(...attempts)
  return recordSignInNetwork(request, session, deps)
}

async function byRefreshToken(request: FastifyRequest, { refreshes, limits }: GrantDeps) {
  const token = refreshGrantOf(request).refresh_token
  await limits.consume(['refresh-network', clientIp(request)], ['refresh-session', token.slice(0, 21)])
  return refreshes.refresh(token, clientOf(request))
}

async function byCode(request: FastifyRequest, deps: GrantDeps) {
  const { verifications, providerSignIn, limits, proofs, signUpGuard } = deps
  const body = pkceGrantOf(request)
  const { auth_code: code, code_verifier: verifier } = body
  const ip = clientIp(request)
  const proof = proofs.presented(readProof(body), { action: 'sign-up', email: '', ip })
  await limits.consume(['verify-network', ip])
  const session = code.startsWith(PROVIDER_CODE_PREFIX)
    ? await providerSignIn.exchange(code, verifier, clientOf(request), () => signUpGuard.count(proof, ip))
    : await verifications.exchangeCode(code, verifier, clientOf(request))
  return recordSignInNetwork(request, session, deps)
}

/** The device's network does not become known for the account: nobody has signed in there. */
async function byDeviceCode(request: FastifyRequest, { devices, limits }: GrantDeps) {
  await limits.consume(['device-poll-network', clientIp(request)])
  const { client_id: clientId, device_code: code } = deviceGrantOf(request)
  if (clientId !== undefined) requireKnownClient(clientId)
  return devices.redeem(code, clientOf(request))
}
