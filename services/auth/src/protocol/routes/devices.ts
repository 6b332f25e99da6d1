import { DEVICE_CLIENT, DEVICE_GRANT } from '@looptide/contracts/http/devices'
import {
  authDeviceDecide,
  authDeviceRead,
  authDeviceStart,
  authServerRead,
} from '@looptide/contracts/operations/auth/devices'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { issuerOf } from '@looptide/service-kit/identity/tokens'
import { type Call, protocolRoute, type Route, route } from '@looptide/service-kit/routes/route'
import type { FastifyRequest } from 'fastify'
import { AccountError } from '../../account-error.ts'
import type { DeviceAuthorization } from '../../features/credential/device/device-authorization.ts'
import type { LimitedAttempt, RateLimits } from '../../features/limits/rate-limits.ts'
import type { Caller } from '../../features/session/caller.ts'
import { clientOf } from '../../features/session/client-of.ts'
import { AuthError } from '../auth-error.ts'
import { callerOf } from '../bearer.ts'

export interface DeviceDeps {
  devices: DeviceAuthorization
  limits: RateLimits
  siteUrl: string
}

/** Routes that pair devices without a keyboard (RFC 8628). The token endpoint is in `grants.ts`. */
export const deviceRoutes = (deps: DeviceDeps): Route[] => [
  protocolRoute(authDeviceStart, async ({ request, body }) => {
    await deps.limits.consume(['device-network', clientIp(request)])
    requireKnownClient(body.client_id)
    return deps.devices.start(body.device_name, clientOf(request))
  }),
  protocolRoute(authDeviceRead, async ({ request, query }) => {
    const caller = callerOf(request)
    const ip = clientIp(request)
    return guess(request, caller, deps, () => deps.devices.read(caller, query.user_code, ip))
  }),
  protocolRoute(authDeviceDecide, (call) => decide(call, deps)),
  route(authServerRead, () => serverMetadata(deps.siteUrl)),
]

async function decide({ request, reply, body }: Call<typeof authDeviceDecide>, deps: DeviceDeps) {
  const caller = callerOf(request)
  await guess(request, caller, deps, () => deps.devices.decide(caller, body.user_code, body.decision))
  return reply.status(204).send()
}

/** Counts the use of a user code until it turns out to be one, so that concurrent guesses count too. */
async function guess<T>(
  request: FastifyRequest,
  { user }: Caller,
  { limits }: DeviceDeps,
  use: () => Promise<T>,
): Promise<T> {
  const attempts: readonly LimitedAttempt[] = [
    ['device-guess-account', user.id],
    ['device-guess-network', clientIp(request)],
  ]
  await limits.consume(...attempts)
  try {
    const result = await use()
    await limits.refund(...attempts)
    return result
  } catch (error) {
    const isWrong = error instanceof AccountError && error.reason === 'user_code_invalid'
    if (!isWrong) await limits.refund(...attempts)
    throw error
  }
}

/** Errors: `invalid_client`. There is one client, which is public: its id is no secret. */
export function requireKnownClient(id: string | undefined): void {
  if (id !== DEVICE_CLIENT) throw new AuthError('invalid_client', 'The client is unknown')
}

/** RFC 8414 §2, for stock clients of RFC 8628. */
function serverMetadata(siteUrl: string) {
  const issuer = issuerOf(siteUrl)
  return {
    issuer,
    token_endpoint: `${issuer}/token`,
    device_authorization_endpoint: `${issuer}/device`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: [],
    grant_types_supported: [DEVICE_GRANT],
    token_endpoint_auth_methods_supported: ['none'],
  }
}
