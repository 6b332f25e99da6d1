import { type NatsUser, natsUsers, permissionsOf } from './nats-permissions.ts'

const list = (subjects: readonly string[]): string =>
  `[\n${subjects.map((subject) => `          "${subject}"`).join('\n')}\n        ]`

/** The users and their permissions, one permission per line. */
function authorization(password: (name: NatsUser) => string): string {
  const users = natsUsers.map((name) => {
    const { publish, subscribe } = permissionsOf(name)
    return (
      `    { user: "${name}", password: ${password(name)}, permissions: {\n` +
      `        publish: ${list(publish)}\n` +
      `        subscribe: ${list(subscribe)}\n    } }`
    )
  })
  return `authorization {\n  users: [\n${users.join('\n')}\n  ]\n}\n`
}

/** The server: JetStream on disk. */
function server(options: { host: string; port: number; storeDir: string; monitorPort?: number }): string {
  return `host: "${options.host}"
port: ${options.port}
max_payload: 1MB${options.monitorPort === undefined ? '' : `\nhttp_port: ${options.monitorPort}`}
jetstream { store_dir: "${options.storeDir}" }
`
}

/**
 * The server's configuration file: JetStream on disk, one user per service and the stream administrator.
 *
 * @param options.password text of a user's password: quoted, or `$VARIABLE`
 * @param options.monitorPort port for health checks; none by default
 */
export function natsConfig(options: {
  host: string
  port: number
  storeDir: string
  password: (name: NatsUser) => string
  monitorPort?: number
}): string {
  return server(options) + authorization(options.password)
}

/** Variable that contains a user's password if NATS runs in a container. */
export function natsPasswordVariable(name: NatsUser): string {
  return `NATS_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}`
}

/**
 * The configuration for containers: the files of `infra/nats`. The users are in a separate file, which a cluster's
 * configuration includes as well.
 */
export function containerNatsConfig(): Record<'nats.conf' | 'users.conf', string> {
  return {
    'nats.conf': `${server({ host: '0.0.0.0', port: 4222, storeDir: '/data', monitorPort: 8222 })}include ./users.conf\n`,
    'users.conf': authorization((name) => `$${natsPasswordVariable(name)}`),
  }
}
