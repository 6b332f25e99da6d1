import type { Logger } from '../telemetry/logger.ts'
import { internalTls } from '../tls/internal-client.ts'
import { connect, connectionChanges, type NatsConnection } from './nats-client.ts'

/**
 * Connects to NATS: waits until the server is available and reconnects without limit. Events stay in the outbox while
 * the connection is down. With `tls://` a server without TLS, or whose certificate is not valid for the host, is refused. Replies arrive below `_INBOX.<name>`: NATS permissions allow a service no other inbox.
 */
export async function connectNats(url: string, name: string, logger: Logger): Promise<NatsConnection> {
  const parsed = new URL(url)
  const connection = await connect({
    servers: parsed.host,
    user: decodeURIComponent(parsed.username) || undefined,
    pass: decodeURIComponent(parsed.password) || undefined,
    ...(parsed.protocol === 'tls:' ? { tls: internalTls()?.clientOptions(parsed.hostname) ?? {} } : {}),
    name,
    inboxPrefix: `_INBOX.${name}`,
    waitOnFirstConnect: true,
    // An attempt started during a network outage must not delay the next one.
    timeout: 3000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 3000,
    maxPingOut: 2,
  })
  void watchConnection(connection, logger)
  return connection
}

async function watchConnection(connection: NatsConnection, logger: Logger): Promise<void> {
  for await (const change of connectionChanges(connection)) logger.warn({ change }, 'nats connection changed')
}
