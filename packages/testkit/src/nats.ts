import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@looptide/runner/ports/free-port'
import { provisionOnce } from '@looptide/runner/streams/provision-streams'
import { type Backing, containerBacking, hasDocker, LocalProcess } from './backing.ts'
import type { SmallDisk } from './small-disk.ts'

/** `wipe` stops the server and deletes its data: restart() starts with an empty store. */
export type NatsBacking = Backing & { wipe(): Promise<void> }

/**
 * A NATS server with JetStream of this test file's own, with the station's streams and consumers; what it acknowledged
 * survives kill() and restart().
 *
 * @param disk where it stores, instead of the machine's disk
 * @param options.streams false: it has no streams yet
 */
export async function startNats(disk?: SmallDisk, { streams = true } = {}): Promise<NatsBacking> {
  const backing = await (hasDocker() && disk === undefined ? startInContainer() : startLocally(disk))
  if (streams) await provisionOnce(backing.url)
  return backing
}

async function startLocally(disk?: SmallDisk): Promise<NatsBacking> {
  const port = await freePort()
  const folder =
    disk === undefined ? await mkdtemp(join(tmpdir(), 'looptide-nats-')) : join(disk.folder, 'nats')
  const server = new LocalProcess({
    enter: disk?.enter,
    program: 'nats-server',
    args: ['--addr', '127.0.0.1', '--port', String(port), '--jetstream', '--store_dir', folder],
    port,
  })
  await server.start()
  return {
    url: `nats://127.0.0.1:${port}`,
    kill: () => server.kill(),
    restart: () => server.restart(),
    revive: () => server.revive(),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    wipe: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startInContainer(): Promise<NatsBacking> {
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  const { GenericContainer, Wait } = await import('testcontainers')
  const port = await freePort()
  const container = await new GenericContainer('nats:2')
    .withCommand(['--jetstream', '--store_dir', '/data'])
    .withExposedPorts({ container: 4222, host: port })
    .withWaitStrategy(Wait.forLogMessage('Server is ready'))
    .start()
  const backing = containerBacking(container, port, `nats://127.0.0.1:${port}`)
  return {
    ...backing,
    wipe: async () => {
      await container.exec(['rm', '-rf', '/data/jetstream'])
      backing.kill()
    },
  }
}
