import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { baseEnv } from '../base-env.ts'
import type { ProcessSpec } from '../process-spec.ts'
import { obtain } from '../programs/obtain.ts'
import { containerSpec } from './docker.ts'
import type { BackingOptions } from './postgres.ts'

/** Our own Redis on loopback, with a password and an append-only file. It never evicts keys. */
export async function redisSpec(options: BackingOptions): Promise<{ spec: ProcessSpec; url: string }> {
  const { port, password } = options
  const url = `redis://:${password}@127.0.0.1:${port}`
  const ready = () => ping(url)
  const means = await obtain('redis-server', options.say)
  const folder = join(options.dataDir, 'redis')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const configFile = join(folder, 'redis.conf')
  if (means.kind === 'docker') {
    writeConfig(configFile, { bind: '0.0.0.0', port: 6379, dir: '/data', password })
    const common = {
      name: 'redis',
      image: means.image,
      dataDir: options.dataDir,
      mountAt: '/data',
      port,
      innerPort: 6379,
      ready,
    }
    const inner = '/usr/local/etc/redis.conf'
    return {
      url,
      spec: containerSpec({
        ...common,
        mounts: [`${configFile}:${inner}:ro`],
        args: ['redis-server', inner],
      }),
    }
  }
  writeConfig(configFile, { bind: '127.0.0.1', port, dir: folder, password })
  return {
    url,
    spec: {
      name: 'redis',
      command: means.program.path,
      args: [configFile],
      env: { ...baseEnv(), ...means.program.env },
      cwd: folder,
      ready,
    },
  }
}

/** The password is in a file of our own, since arguments are readable by all users. */
function writeConfig(
  path: string,
  config: { bind: string; port: number; dir: string; password: string },
): void {
  const lines = [
    `bind ${config.bind}`,
    `port ${config.port}`,
    `dir "${config.dir}"`,
    `requirepass ${config.password}`,
    'appendonly yes',
    'maxmemory-policy noeviction',
    'daemonize no',
  ]
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 })
}

async function ping(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
  } finally {
    client.disconnect()
  }
}
