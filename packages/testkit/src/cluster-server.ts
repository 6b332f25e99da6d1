import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasDocker, LocalProcess } from './backing.ts'

/** One server of several that speak to each other over this machine's loopback. */
export interface ClusterServer {
  port: number
  /** Ends it at once, as a machine that loses its power. */
  kill(): Promise<void>
  /** Ends it and forgets what it kept. */
  stop(): Promise<void>
}

/** How to run a member: the program of this machine, or the image in the machine's own network. */
export interface ClusterServerOptions {
  program: 'redis-server' | 'nats-server'
  image: string
  port: number
  /** `folder` is the member's own, and holds `config`, if there is one, as `member.conf`. */
  args: (folder: string) => string[]
  config?: string
}

/** Starts a member and answers when its port does. */
export async function startClusterServer(options: ClusterServerOptions): Promise<ClusterServer> {
  return hasDocker() ? startContainer(options) : startLocally(options)
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
  // The images' own volume: a sentinel writes its configuration anew, which takes the right to the folder.
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
