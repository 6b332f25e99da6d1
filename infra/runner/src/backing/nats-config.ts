import { EVENTS } from '@looptide/contracts/events'
import { type ServiceName, serviceNames } from '../service-names.ts'

/** The JetStream streams, one per owner of events, and whose they are. */
const owners: Partial<Record<ServiceName, string>> = {
  auth: 'auth',
  catalogue: 'catalogue',
  'stream-scheduler': 'stream',
  chat: 'chat',
  'admin-audit': 'admin',
  'metadata-worker': 'metadata',
}

/** Nobody throws history away: what is published stays for its time. */
const forbidden = [
  '$JS.API.STREAM.DELETE.>',
  '$JS.API.STREAM.PURGE.>',
  '$JS.API.STREAM.MSG.DELETE.>',
  '$JS.API.STREAM.RESTORE.>',
]

/** Live news, and who tells it: nobody else can speak as a gateway. */
const live: Partial<Record<ServiceName, readonly string[]>> = {
  'metadata-worker': ['live.metadata.>'],
  gateway: ['live.gateways.>', 'live.viewers.>', 'live.topics.>'],
}

/** What a service may publish: events of its own, live news, and what JetStream needs to hear from a consumer. */
export function publishRights(name: ServiceName): string[] {
  const owner = owners[name]
  const news = live[name] ?? []
  // The gateway owns no events and keeps no consumer: it only listens, and talks to the other gateways.
  if (owner === undefined) return [...news, '_INBOX.>']
  const acknowledgements = Object.values(owners).flatMap((of) =>
    consumersOf(name, of).map((consumer) => `$JS.ACK.${of.toUpperCase()}.${consumer}.>`),
  )
  return [`${owner}.>`, ...news, '_INBOX.>', '$JS.API.>', ...acknowledgements]
}

/**
 * How the durable consumers of a service may be called: `<service>--<owner>`, or by the one event it wants of an
 * owner. A name is one token of a subject, for which there is no pattern; acknowledging for others is not ours to do.
 */
function consumersOf(name: ServiceName, owner: string): string[] {
  const events = Object.keys(EVENTS).filter((type) => type.startsWith(`${owner}.`))
  return [owner, ...events.map((type) => type.replaceAll('.', '-'))].map((wanted) => `${name}--${wanted}`)
}

const listOf = (subjects: readonly string[]) => `[${subjects.map((subject) => `"${subject}"`).join(', ')}]`

/** The part of the configuration that says who may do what: one user per service. */
function authorization(password: (name: ServiceName) => string): string {
  const users = serviceNames.map(
    (name) =>
      `    { user: "${name}", password: ${password(name)}, permissions: {\n` +
      `      publish: { allow: ${listOf(publishRights(name))}, deny: ${listOf(forbidden)} }\n` +
      `      subscribe: ">"\n    } }`,
  )
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
 * The server's configuration file: JetStream on disk, one user per service.
 *
 * @param options.password gives the text that stands for a service's password: quoted, or `$VARIABLE`
 * @param options.monitorPort for health checks from outside, none unless told
 */
export function natsConfig(options: {
  host: string
  port: number
  storeDir: string
  password: (name: ServiceName) => string
  monitorPort?: number
}): string {
  return server(options) + authorization(options.password)
}

/** The variable that holds a service's password where NATS runs in a container. */
export function natsPasswordVariable(name: ServiceName): string {
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
