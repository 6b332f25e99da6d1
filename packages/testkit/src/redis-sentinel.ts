import { freePort } from '@looptide/backing/free-port'
import type { TestCertificate } from './certificates.ts'
import { type ClusterServer, startClusterServer } from './cluster-server.ts'
import { redisPort } from './redis.ts'

const NAME = 'station'

/** A primary, a replica, and a sentinel that promotes the replica if the primary fails. */
export interface SentinelSet {
  /** Host and port of the sentinel, as services are configured with it. */
  url: string
  killPrimary(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts Redis as a primary, a replica and a sentinel, all with the same password.
 *
 * @param tls the certificate of all three; clients then need one of the same authority
 */
export async function startSentinelSet(tls?: TestCertificate): Promise<SentinelSet> {
  const password = 'sentinel-test'
  const members: ClusterServer[] = []
  const start = async (...args: string[]): Promise<ClusterServer> => {
    const port = await freePort()
    const auth = ['--requirepass', password, '--masterauth', password]
    const member = await startClusterServer({
      program: 'redis-server',
      image: 'redis:7',
      isLocal: tls !== undefined,
      port,
      args: (folder) => [
        '--bind',
        '127.0.0.1',
        ...redisPort(port, tls).flatMap(([name, value]) => [`--${name}`, value]),
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
    isLocal: tls !== undefined,
    port,
    args: (folder) => [`${folder}/member.conf`, '--sentinel'],
    config: `bind 127.0.0.1
${redisPort(port, tls)
  .map((option) => option.join(' '))
  .join('\n')}
sentinel monitor ${NAME} 127.0.0.1 ${primary.port} 1
sentinel auth-pass ${NAME} ${password}
sentinel down-after-milliseconds ${NAME} 500
sentinel failover-timeout ${NAME} 2000
`,
  })
  members.push(sentinel)
  return {
    url: `${tls === undefined ? 'redis' : 'rediss'}+sentinel://:${password}@127.0.0.1:${port}/${NAME}`,
    killPrimary: () => primary.kill(),
    stop: async () => void (await Promise.all(members.map((member) => member.stop()))),
  }
}
