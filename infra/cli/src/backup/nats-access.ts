import type { Owner } from '@looptide/contracts/events'
import type { ServiceName } from '@looptide/runner/service-names'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { away } from '../exit-codes.ts'
import { required, type Settings } from '../settings.ts'

const publishers: Record<Owner, ServiceName> = {
  auth: 'auth',
  catalogue: 'catalogue',
  stream: 'stream-scheduler',
  chat: 'chat',
  admin: 'admin-audit',
  metadata: 'metadata-worker',
}

const CONNECT_MS = 5000

/** NATS as far as it is needed here: where it is and who may publish what. */
export type NatsSettings = Pick<Settings, 'natsUrl' | 'natsPasswords'>

/** Connects as the service that may publish `owner`'s events. Throws when NATS does not answer within 5 s. */
export async function connectAs(owner: Owner, settings: NatsSettings): Promise<NatsConnection> {
  const url = new URL(required(settings.natsUrl, 'NATS_URL'))
  const own = settings.natsPasswords[publishers[owner]]
  // An address that names a user is meant as it is; otherwise each service has its own.
  const isNamed = url.username !== '' || own === undefined
  const user = isNamed ? decodeURIComponent(url.username) : publishers[owner]
  const pass = isNamed ? decodeURIComponent(url.password) : own
  try {
    return await connect({
      servers: url.host,
      ...(user === '' ? {} : { user, pass }),
      name: 'looptide-cli',
      timeout: CONNECT_MS,
      maxReconnectAttempts: 5,
    })
  } catch (error) {
    throw away(
      `NATS does not let us in at ${url.host}: ${error instanceof Error ? error.message : String(error)}`,
      error,
    )
  }
}
