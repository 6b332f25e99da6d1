import { STREAM_ADMIN } from '@looptide/backing/nats/nats-permissions'
import { connect, type NatsConnection } from '@looptide/service-kit/events/nats-client'
import { away } from '../exit-codes.ts'
import { required, type Settings } from '../settings.ts'

const CONNECT_MS = 5000

/** URL of NATS and the password of the stream administrator. */
export type NatsSettings = Pick<Settings, 'natsUrl' | 'natsPassword'>

/**
 * Connects as the stream administrator, who reads all streams and publishes the events of a backup. A URL with a
 * user is used unchanged. Throws when NATS does not answer within 5 s.
 */
export async function connectToStreams(settings: NatsSettings): Promise<NatsConnection> {
  const url = new URL(required(settings.natsUrl, 'NATS_URL'))
  const isNamed = url.username !== '' || settings.natsPassword === undefined
  const user = isNamed ? decodeURIComponent(url.username) : STREAM_ADMIN
  const pass = isNamed ? decodeURIComponent(url.password) : settings.natsPassword
  try {
    return await connect({
      servers: url.host,
      ...(user === '' ? {} : { user, pass }),
      name: 'looptide-cli',
      inboxPrefix: `_INBOX.${STREAM_ADMIN}`,
      timeout: CONNECT_MS,
      maxReconnectAttempts: 5,
    })
  } catch (error) {
    throw away(
      `NATS refuses the connection at ${url.host}: ${error instanceof Error ? error.message : String(error)}`,
      error,
    )
  }
}
