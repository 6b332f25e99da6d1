import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@looptide/runner/ports/free-port'
import { Redis } from 'ioredis'
import { type Backing, containerBacking, hasDocker, LocalProcess } from './backing.ts'

// Every acknowledged write is on disk: what a test kills comes back whole.
const durability = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction']

/** A Redis of this test file's own; what it acknowledged survives kill() and restart(). */
export async function startRedis(): Promise<Backing> {
  return hasDocker() ? startInContainer() : startLocally()
}

async function startLocally(): Promise<Backing> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'looptide-redis-'))
  const server = new LocalProcess({
    program: 'redis-server',
    args: ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '', ...durability],
    port,
    ready: () => pong(port),
  })
  await server.start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => server.kill(),
    restart: () => server.restart(),
    revive: () => server.revive(),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
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
async function pong(port: number): Promise<void> {
  const client = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => null })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
  } finally {
    client.disconnect()
  }
}
