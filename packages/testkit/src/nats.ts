import { cpSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@looptide/backing/free-port'
import { provisionOnce } from '@looptide/backing/nats/provision-streams'
import { type Backing, containerBacking, hasDocker, LocalProcess, localBacking } from './backing.ts'
import type { TestCertificate } from './certificates.ts'
import type { SmallDisk } from './small-disk.ts'

/** Variable with a store that has all streams and consumers: set by the global set-up, copied by every server. */
export const testStoreVariable = 'TESTKIT_NATS_STORE'

/** `wipe` stops the server and deletes its data: restart() starts with an empty store. */
export type NatsBacking = Backing & { wipe(): Promise<void> }

/**
 * A NATS server with JetStream for one test file, with the station's streams and consumers. Acknowledged messages
 * survive kill() and restart().
 *
 * @param disk stores its data, instead of the machine's disk
 * @param options.streams false: no streams are created
 * @param options.tls the server's certificate; clients then need one of the same authority
 */
export async function startNats(
  disk?: SmallDisk,
  { streams = true, tls }: { streams?: boolean; tls?: TestCertificate } = {},
): Promise<NatsBacking> {
  const inContainer = hasDocker() && disk === undefined && tls === undefined
  if (inContainer) return provisioned(await startInContainer(), streams)
  const folder =
    disk === undefined ? await mkdtemp(join(tmpdir(), 'looptide-nats-')) : join(disk.folder, 'nats')
  const store = streams && disk === undefined ? process.env[testStoreVariable] : undefined
  // Creating the streams and consumers takes longer than starting the server.
  if (store !== undefined) cpSync(store, folder, { recursive: true })
  const server = localServer(folder, await freePort(), disk, tls)
  await server.start()
  const backing = localBacking(
    server,
    `${tls === undefined ? 'nats' : 'tls'}://127.0.0.1:${server.server.port}`,
    folder,
  )
  return provisioned({ ...backing, wipe: backing.stop }, streams && store === undefined)
}

async function provisioned(backing: NatsBacking, streams: boolean): Promise<NatsBacking> {
  if (streams) await provisionOnce(backing.url)
  return backing
}

/** Creates a store with the station's streams and consumers, for servers on this machine. Returns its folder. */
export async function createProvisionedStore(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'looptide-nats-'))
  const port = await freePort()
  const server = localServer(folder, port)
  await server.start()
  await provisionOnce(`nats://127.0.0.1:${port}`)
  await server.stop()
  return folder
}

const localServer = (folder: string, port: number, disk?: SmallDisk, tls?: TestCertificate): LocalProcess =>
  new LocalProcess({
    enter: disk?.enter,
    program: 'nats-server',
    args: [
      ...['--addr', '127.0.0.1', '--port', String(port), '--jetstream', '--store_dir', folder],
      ...(tls === undefined
        ? []
        : ['--tlsverify', '--tlscert', tls.cert, '--tlskey', tls.key, '--tlscacert', tls.ca]),
    ],
    port,
  })

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
