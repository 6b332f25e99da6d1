import { Redis, type RedisOptions } from 'ioredis'

const SENTINEL_PORT = 26_379
/** A server that says nothing for so long (ms) while it is being asked is given up, and dialled anew. */
const SILENCE_MS = 5000

/**
 * Opens a connection to the Redis at `url`:
 * - `redis://[user]:[password]@host[:port][/db]`, or `rediss://` with TLS: that server
 * - `redis+sentinel://[user]:[password]@host[:port]/<primary>`: whichever server the sentinels at that address (one, or
 *   a name of several) call the primary of this name, also after a failover. Further sentinels are learnt from the first.
 *   `?sentinelPassword=` where they ask for one.
 *
 * A primary that is demoted loses its clients by the sentinels' own hand (CLIENT KILL), so nothing has to watch for it;
 * ioredis' `failoverDetector` would end a connection for good when it speaks during a reconnect.
 *
 * `options` say how patient the connection is. Whoever opens it listens for `error`.
 */
export function openRedis(url: string, options: RedisOptions): Redis {
  const patience = { socketTimeout: SILENCE_MS, ...options }
  return url.startsWith('redis+sentinel:')
    ? new Redis({ ...patience, ...viaSentinels(url) })
    : new Redis(url, patience)
}

function viaSentinels(text: string): RedisOptions {
  const url = new URL(text)
  const name = decodeURIComponent(url.pathname.slice(1))
  if (name === '') throw new Error('A redis+sentinel URL ends in the name of the primary.')
  return {
    sentinels: [{ host: url.hostname, port: Number(url.port || SENTINEL_PORT) }],
    name,
    username: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    sentinelPassword: url.searchParams.get('sentinelPassword') ?? undefined,
  }
}
