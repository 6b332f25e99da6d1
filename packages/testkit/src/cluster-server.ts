import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasDocker, LocalProcess } from './backing.ts'

/** One server of a cluster on this machine's loopback interface. */
export interface ClusterServer {
  port: number
  /** Kills the process immediately, like a power failure. */
  kill(): Promise<void>
  /** Stops it and deletes its data. */
  stop(): Promise<void>
}

/** How to run a member: as a program of this machine, or as a container in the host's network. */
export interface ClusterServerOptions {
  program: 'redis-server' | 'nats-server'
  image: string
  port: number
  /** Whether it needs files of this machine, such as certificates, so that it runs as a program. */
  isLocal?: boolean
  /** `folder` belongs to the member. It contains `config`, if any, as `member.conf`. */
  args: (folder: string) => string[]
  config?: string
}

/** Starts a member. Resolves when its port accepts connections. */
export async function startClusterServer(options: ClusterServerOptions): Promise<ClusterServer> {
  return hasDocker() && options.isLocal !== true ? startContainer(options) : startLocally(options)
}

async function startLocally({ program, port, args, config }: ClusterServerOptions): Promise<ClusterServer> {
  const folder = await mkdtemp(join(tmpdir(), `looptide-${program}-`))
  if (config !== undefined) await writeFile(join(folder, 'member.conf'), config)
  const server = new LocalProcess({ program, port, args: args(folder) })
  await server.start()
  return {
    port,
    kill: async () => server.kill(),
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startContainer({
  program,
  image,
  port,
  args,
  config,
}: ClusterServerOptions): Promise<ClusterServer> {
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  const { GenericContainer, Wait } = await import('testcontainers')
  // The image's own volume: Sentinel rewrites its configuration, which requires write permission to the folder.
  const folder = '/data'
  const container = await new GenericContainer(image)
    .withNetworkMode('host')
    .withCommand([...(program === 'redis-server' ? [program] : []), ...args(folder)])
    .withCopyContentToContainer(
      config === undefined ? [] : [{ content: config, target: `${folder}/member.conf`, mode: 0o666 }],
    )
    .withWaitStrategy(Wait.forLogMessage(/Server is ready|Ready to accept connections|Sentinel ID is/))
    .start()
  let isThere = true
  const end = async () => {
    if (isThere) await container.stop({ timeout: 0 })
    isThere = false
  }
  return { port, kill: end, stop: end }
}
