import { withClient } from '@looptide/backing/database/set-up'
import type { ServiceName } from '@looptide/backing/service-names'
import type { Station } from '@looptide/runner/station/station'
import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import type { BareSocket } from './bare-socket.ts'

/** An endpoint per service that answers 200 to an admin and 401 without a valid token. */
const ADMIN_REQUESTS = {
  auth: '/api/users',
  catalogue: '/api/curation',
  'stream-scheduler': '/api/channels/quarantine',
  chat: '/api/dead-letters/chat',
  audience: '/api/dead-letters/audience',
  'admin-audit': '/api/audit',
  'metadata-worker': '/api/metadata/jobs',
} as const satisfies Record<Exclude<ServiceName, 'gateway'>, string>

const LONG_WAIT = { timeoutMs: 60_000 } as const

/** A process that verifies access tokens, and an admin's request to it. */
export interface TokenVerifyingProcess {
  name: string
  url: string
}

/** Every process of the station that verifies access tokens in answer to requests: all but the gateways. */
export function tokenVerifyingProcesses({ fleet }: Station): TokenVerifyingProcess[] {
  return Object.entries(ADMIN_REQUESTS).flatMap(([service, path]) =>
    fleet.namesOf(service as ServiceName).map((name) => ({ name, url: fleet.urlOf(name) + path })),
  )
}

/** The status of the process's answer to the token's holder. */
export async function statusFor({ url }: TokenVerifyingProcess, token: string): Promise<number> {
  const response = await fetch(url, { headers: bearerOf(token) })
  await response.arrayBuffer()
  return response.status
}

/** Resolves when the process refuses the token, with the time (`performance.now()`, ms). */
export async function whenRefused(process: TokenVerifyingProcess, token: string): Promise<number> {
  await until(
    `${process.name} refuses the token`,
    async () => (await statusFor(process, token)) === 401,
    LONG_WAIT,
  )
  return performance.now()
}

/** Resolves when the revocation of the key is committed, with the time (`performance.now()`, ms). */
export function whenRevoked(databaseUrl: string, kid: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const query = 'select 1 from auth.revoked_keys where kid = $1'
    await until(
      'the revocation is committed',
      async () => (await client.query(query, [kid])).rowCount === 1,
      LONG_WAIT,
    )
    return performance.now()
  })
}

/** Resolves when a private topic of the socket has ended, with the time (`performance.now()`, ms). */
export async function whenTopicLost(socket: BareSocket): Promise<number> {
  await until('the socket has lost its topic', () => socket.received.includes('"phx_error"'), LONG_WAIT)
  return performance.now()
}

/** The id of the key that signed an access token. */
export function kidOf(token: string): string {
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }
  return header.kid
}
