import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@looptide/runner/free-port'
import { type Backing, containerBacking, hasDocker, LocalProcess } from './backing.ts'

/** A NATS server with JetStream of this test file's own; what it acknowledged survives kill() and restart(). */
export async function startNats(): Promise<Backing> {
  return hasDocker() ? startInContainer() : startLocally()
}

async function startLocally(): Promise<Backing> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'looptide-nats-'))
  const server = new LocalProcess({
    program: 'nats-server',
    args: ['--addr', '127.0.0.1', '--port', String(port), '--jetstream', '--store_dir', folder],
    port,
  })
  await server.start()
  return {
    url: `nats://127.0.0.1:${port}`,
    kill: () => server.kill(),
    restart: () => server.restart(),
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
  const container = await new GenericContainer('nats:2')
    .withCommand(['--jetstream', '--store_dir', '/data'])
    .withExposedPorts({ container: 4222, host: port })
    .withWaitStrategy(Wait.forLogMessage('Server is ready'))
    .start()
  return containerBacking(container, port, `nats://127.0.0.1:${port}`)
}
