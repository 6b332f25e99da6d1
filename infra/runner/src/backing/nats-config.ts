import { type NatsUser, natsUsers, permissionsOf } from './nats-permissions.ts'

const list = (subjects: readonly string[]): string =>
  `[\n${subjects.map((subject) => `          "${subject}"`).join('\n')}\n        ]`

/** The part of the configuration that says who may do what, one permission per line. */
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

/** The server itself: JetStream on disk. */
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
 * @param options.password gives the text that stands for a user's password: quoted, or `$VARIABLE`
 * @param options.monitorPort for health checks from outside, none unless told
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

/** The variable that holds a user's password where NATS runs in a container. */
export function natsPasswordVariable(name: NatsUser): string {
  return `NATS_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}`
}

/**
 * The configuration for containers, as the files of `infra/nats` have it. The users stand in a file of their own, which
 * a cluster's configuration includes as well.
 */
export function containerNatsConfig(): Record<'nats.conf' | 'users.conf', string> {
  return {
    'nats.conf': `${server({ host: '0.0.0.0', port: 4222, storeDir: '/data', monitorPort: 8222 })}include ./users.conf\n`,
    'users.conf': authorization((name) => `$${natsPasswordVariable(name)}`),
  }
}
