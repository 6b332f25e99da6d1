import { freePort } from '@looptide/runner/ports/free-port'
import { type ClusterServer, startClusterServer } from './cluster-server.ts'

const NAME = 'station'

/** A primary with a replica and a sentinel that puts the replica in its place when it is gone. */
export interface SentinelSet {
  /** Host and port of the sentinel, as services are configured with it. */
  url: string
  killPrimary(): Promise<void>
  stop(): Promise<void>
}

/** Starts Redis as a primary, a replica and a sentinel, all with the same password. */
export async function startSentinelSet(): Promise<SentinelSet> {
  const password = 'sentinel-test'
  const members: ClusterServer[] = []
  const start = async (...args: string[]): Promise<ClusterServer> => {
    const port = await freePort()
    const auth = ['--requirepass', password, '--masterauth', password]
    const member = await startClusterServer({
      program: 'redis-server',
      image: 'redis:7',
      port,
      args: (folder) => [
        '--bind',
        '127.0.0.1',
        '--port',
        String(port),
        '--dir',
        folder,
        '--save',
        '',
        ...auth,
        ...args,
      ],
    })
    members.push(member)
    return member
  }
  const primary = await start()
  await start('--replicaof', '127.0.0.1', String(primary.port), '--repl-diskless-sync-delay', '0')
  const port = await freePort()
  const sentinel = await startClusterServer({
    program: 'redis-server',
    image: 'redis:7',
    port,
    args: (folder) => [`${folder}/member.conf`, '--sentinel'],
    config: `bind 127.0.0.1
port ${port}
sentinel monitor ${NAME} 127.0.0.1 ${primary.port} 1
sentinel auth-pass ${NAME} ${password}
sentinel down-after-milliseconds ${NAME} 500
sentinel failover-timeout ${NAME} 2000
`,
  })
  members.push(sentinel)
  return {
    url: `redis+sentinel://:${password}@127.0.0.1:${port}/${NAME}`,
    killPrimary: () => primary.kill(),
    stop: async () => void (await Promise.all(members.map((member) => member.stop()))),
  }
}
