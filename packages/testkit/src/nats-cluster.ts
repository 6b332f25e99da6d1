import { freePort } from '@looptide/backing/free-port'
import { type ClusterServer, startClusterServer } from './cluster-server.ts'
import { until } from './until.ts'

/** Three NATS servers that replicate streams. */
export interface NatsCluster {
  /** One URL per server. */
  urls: string[]
  kill(index: number): Promise<void>
  stop(): Promise<void>
}

type Member = ClusterServer & { monitoringPort: number }

/** Time in which servers form a cluster on a busy machine, in ms; it mostly takes a second. */
const FORMATION_MS = 15_000
/** On a busy machine one of twenty attempts fails. */
const MAX_ATTEMPTS = 4

/**
 * Starts three NATS servers with JetStream as one cluster. Servers of NATS 2.10 that start at the same time sometimes
 * never form one: they lose a vote, or a member. They are then replaced.
 */
export async function startNatsCluster(): Promise<NatsCluster> {
  for (let attempt = 1; ; attempt += 1) {
    const members = await startMembers()
    const stop = async () => void (await Promise.all(members.map((member) => member.stop())))
    try {
      await until('the three servers have formed a cluster', () => isFormed(members), {
        timeoutMs: FORMATION_MS,
      })
      return {
        urls: members.map((member) => `nats://127.0.0.1:${member.port}`),
        kill: async (index) => members[index]?.kill(),
        stop,
      }
    } catch (error) {
      await stop()
      if (attempt === MAX_ATTEMPTS) throw error
    }
  }
}

async function startMembers(): Promise<Member[]> {
  const routes = await Promise.all([freePort(), freePort(), freePort()])
  return Promise.all(
    routes.map(async (route, index) => {
      const [port, monitoringPort] = await Promise.all([freePort(), freePort()])
      const server = await startClusterServer({
        program: 'nats-server',
        image: 'nats:2',
        port,
        args: (folder) => [
          ...['--addr', '127.0.0.1', '--port', String(port), '--server_name', `member-${index}`],
          ...['--http_port', String(monitoringPort)],
          ...['--jetstream', '--store_dir', folder, '--cluster_name', 'station'],
          ...['--cluster', `nats://127.0.0.1:${route}`],
          ...['--routes', routes.map((other) => `nats://127.0.0.1:${other}`).join(',')],
        ],
      })
      return { ...server, monitoringPort }
    }),
  )
}

/** Whether one server leads the two others. Only a leader's report lists its followers. */
async function isFormed(members: readonly Member[]): Promise<boolean> {
  const followers = await Promise.all(members.map(followersOf))
  return followers.includes(members.length - 1)
}

async function followersOf({ monitoringPort }: Member): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${monitoringPort}/jsz`)
  const { meta_cluster: cluster } = (await response.json()) as { meta_cluster?: { replicas?: unknown[] } }
  return cluster?.replicas?.length ?? 0
}
