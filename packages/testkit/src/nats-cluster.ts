import { freePort } from '@looptide/runner/ports/free-port'
import { type ClusterServer, startClusterServer } from './cluster-server.ts'

/** Three NATS servers that replicate streams. */
export interface NatsCluster {
  /** One URL per server. */
  urls: string[]
  kill(index: number): Promise<void>
  stop(): Promise<void>
}

/** Starts three NATS servers with JetStream as one cluster. */
export async function startNatsCluster(): Promise<NatsCluster> {
  const routes = await Promise.all([freePort(), freePort(), freePort()])
  const members: ClusterServer[] = await Promise.all(
    routes.map(async (route, index) => {
      const port = await freePort()
      return startClusterServer({
        program: 'nats-server',
        image: 'nats:2',
        port,
        args: (folder) => [
          ...['--addr', '127.0.0.1', '--port', String(port), '--server_name', `member-${index}`],
          ...['--jetstream', '--store_dir', folder, '--cluster_name', 'station'],
          ...['--cluster', `nats://127.0.0.1:${route}`],
          ...['--routes', routes.map((other) => `nats://127.0.0.1:${other}`).join(',')],
        ],
      })
    }),
  )
  return {
    urls: members.map((member) => `nats://127.0.0.1:${member.port}`),
    kill: async (index) => members[index]?.kill(),
    stop: async () => void (await Promise.all(members.map((member) => member.stop()))),
  }
}
