import type { Logger } from '../process/logger.ts'
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

/** Retries `work` with exponential backoff (up to 5 s) until it succeeds or `signal` aborts. */
export async function retryUntil(
  work: () => Promise<void>,
  signal: AbortSignal,
  onFailure: (error: unknown, attempt: number) => void,
): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      await work()
      return
    } catch (error) {
      onFailure(error, attempt)
      await pause(Math.min(5000, 100 * 2 ** attempt), signal)
    }
  }
}

/** Resolves after `ms`, or when `signal` aborts. Never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
