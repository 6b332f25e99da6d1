import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '@looptide/service-kit/events/nats-client'
import { baseEnv } from '../base-env.ts'
import { natsConfig } from '../nats/nats-config.ts'
import type { NatsUser } from '../nats/nats-permissions.ts'
import type { ProcessSpec } from '../process-spec.ts'
import { obtain } from '../programs/obtain.ts'
import { containerSpec } from './docker.ts'

export interface NatsOptions {
  dataDir: string
  port: number
  passwords: Record<NatsUser, string>
  say: (text: string) => void
}

/** Our own NATS on loopback: JetStream on disk, one user per service with the permissions it needs. */
export async function natsSpec(
  options: NatsOptions,
): Promise<{ spec: ProcessSpec; urlFor: (name: NatsUser) => string }> {
  const { port, passwords } = options
  const urlFor = (name: NatsUser) => `nats://${name}:${passwords[name]}@127.0.0.1:${port}`
  const password = (name: NatsUser) => `"${passwords[name]}"`
  const ready = () => answers(port, passwords.gateway)
  const means = await obtain('nats-server', options.say)
  const folder = join(options.dataDir, 'nats')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const configFile = join(folder, 'nats.conf')
  if (means.kind === 'docker') {
    writeFileSync(configFile, natsConfig({ host: '0.0.0.0', port: 4222, storeDir: '/data', password }), {
      mode: 0o600,
    })
    const common = {
      name: 'nats',
      image: means.image,
      dataDir: options.dataDir,
      mountAt: '/data',
      port,
      innerPort: 4222,
      ready,
    }
    const inner = '/etc/looptide-nats.conf'
    return {
      urlFor,
      spec: containerSpec({ ...common, mounts: [`${configFile}:${inner}:ro`], args: ['--config', inner] }),
    }
  }
  const storeDir = join(folder, 'store')
  writeFileSync(configFile, natsConfig({ host: '127.0.0.1', port, storeDir, password }), { mode: 0o600 })
  return {
    urlFor,
    spec: {
      name: 'nats',
      command: means.program.path,
      args: ['--config', configFile],
      env: { ...baseEnv(), ...means.program.env },
      cwd: folder,
      ready,
    },
  }
}

async function answers(port: number, pass: string): Promise<void> {
  const connection = await connect({
    servers: `127.0.0.1:${port}`,
    user: 'gateway',
    pass,
    reconnect: false,
    timeout: 2000,
  })
  await connection.close()
}
