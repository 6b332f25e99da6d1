import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@looptide/backing/free-port'
import { Redis } from 'ioredis'
import { type Backing, containerBacking, hasDocker, LocalProcess, localBacking } from './backing.ts'
import { contentsOf, type TestCertificate } from './certificates.ts'

// Every acknowledged write is on disk, so that it survives a kill.
const durability = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction']

/**
 * A Redis for one test file. Acknowledged writes survive kill() and restart().
 *
 * @param tls the server's certificate; clients then need one of the same authority
 */
export async function startRedis(tls?: TestCertificate): Promise<Backing> {
  return hasDocker() && tls === undefined ? startInContainer() : startLocally(tls)
}

async function startLocally(tls?: TestCertificate): Promise<Backing> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'looptide-redis-'))
  const server = new LocalProcess({
    program: 'redis-server',
    args: [
      ...['--bind', '127.0.0.1', '--dir', folder, '--save', '', ...durability],
      ...redisPort(port, tls).flatMap(([name, value]) => [`--${name}`, value]),
    ],
    port,
    ready: () => pong(port, tls),
  })
  await server.start()
  return localBacking(server, `${tls === undefined ? 'redis' : 'rediss'}://127.0.0.1:${port}`, folder)
}

/** Redis's options for its port. With a certificate all its connections are encrypted, also to replicas and sentinels. */
export function redisPort(port: number, tls: TestCertificate | undefined): [name: string, value: string][] {
  if (tls === undefined) return [['port', String(port)]]
  return [
    ['port', '0'],
    ['tls-port', String(port)],
    ['tls-cert-file', tls.cert],
    ['tls-key-file', tls.key],
    ['tls-ca-cert-file', tls.ca],
    ['tls-replication', 'yes'],
  ]
}

async function startInContainer(): Promise<Backing> {
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  const { GenericContainer, Wait } = await import('testcontainers')
  const port = await freePort()
  const container = await new GenericContainer('redis:7')
    .withCommand(['redis-server', ...durability])
    .withExposedPorts({ container: 6379, host: port })
    .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
    .start()
  return containerBacking(container, port, `redis://127.0.0.1:${port}`, () => pong(port))
}

/** The port opens before the append-only file is read: only PONG means ready. */
async function pong(port: number, tls?: TestCertificate): Promise<void> {
  const client = new Redis({
    port,
    host: '127.0.0.1',
    lazyConnect: true,
    retryStrategy: () => null,
    ...(tls === undefined ? {} : { tls: contentsOf(tls) }),
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
  } finally {
    client.disconnect()
  }
}
