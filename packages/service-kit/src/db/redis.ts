import { Redis, type RedisOptions } from 'ioredis'
import { internalTls } from '../tls/internal-client.ts'

const SENTINEL_PORT = 26_379
/** A connection without a reply to a pending command for this time is closed and opened again, in ms. */
const REPLY_TIMEOUT_MS = 5000

/**
 * Opens a connection to the Redis at `url`:
 * - `redis://[user]:[password]@host[:port][/db]`, or `rediss://` with TLS: that server
 * - `redis+sentinel://[user]:[password]@host[:port]/<primary>`: the server that Sentinel reports as the primary of this
 *   name, also after a failover. The host may be one sentinel or a DNS name of several; the others are discovered.
 *   `?sentinelPassword=` is their password, if any. `rediss+sentinel://` is the same with TLS.
 *
 * With TLS the certificate must have the host's name, also that of a primary whose IP address Sentinel reports. Its
 * authorities are those of `INTERNAL_TLS_CA` if that is set, else those of Node.
 *
 * Sentinel disconnects the clients of a demoted primary (CLIENT KILL), so no failover detection is needed. ioredis'
 * `failoverDetector` would close a connection permanently if it fired during a reconnect.
 *
 * `options` set timeouts and retries. The caller must handle `error` events.
 */
export function openRedis(url: string, options: RedisOptions): Redis {
  const withTimeout = { socketTimeout: REPLY_TIMEOUT_MS, ...options }
  if (/^rediss?\+sentinel:/.test(url)) return new Redis({ ...withTimeout, ...viaSentinels(url) })
  return url.startsWith('rediss:')
    ? new Redis(url, { ...withTimeout, tls: tlsFor(new URL(url).hostname) })
    : new Redis(url, withTimeout)
}

function viaSentinels(text: string): RedisOptions {
  const url = new URL(text)
  const name = decodeURIComponent(url.pathname.slice(1))
  if (name === '') throw new Error('A redis+sentinel URL must end with the name of the primary.')
  return {
    sentinels: [{ host: url.hostname, port: Number(url.port || SENTINEL_PORT) }],
    name,
    username: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    sentinelPassword: url.searchParams.get('sentinelPassword') ?? undefined,
    ...(url.protocol === 'rediss+sentinel:' ? encryptedSentinels(url.hostname) : {}),
  }
}

function encryptedSentinels(hostname: string): RedisOptions {
  const tls = tlsFor(hostname)
  return { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }
}

const tlsFor = (hostname: string): NonNullable<RedisOptions['tls']> =>
  internalTls()?.clientOptions(hostname) ?? { servername: hostname }
