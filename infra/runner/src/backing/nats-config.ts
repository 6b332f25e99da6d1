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

/** What a service may publish: events of its own, live news, and what JetStream needs to hear from a consumer. */
export function publishRights(name: ServiceName): string[] {
  const owner = owners[name]
  // The gateway owns no events and keeps no consumer: it only listens, and tells viewer counts.
  if (owner === undefined) return ['live.>', '_INBOX.>']
  // A durable consumer is named `<service>--<owner>`; acknowledging for others is not ours to do.
  const acknowledgements = Object.values(owners).map((of) => `$JS.ACK.${of.toUpperCase()}.${name}--${of}.>`)
  return [`${owner}.>`, 'live.>', '_INBOX.>', '$JS.API.>', ...acknowledgements]
}

/** The server's configuration file: loopback, JetStream on disk, one user per service. */
export function natsConfig(options: {
  host: string
  port: number
  storeDir: string
  passwords: Record<ServiceName, string>
}): string {
  const list = (subjects: readonly string[]) => `[${subjects.map((subject) => `"${subject}"`).join(', ')}]`
  const users = serviceNames.map(
    (name) =>
      `    { user: "${name}", password: "${options.passwords[name]}", permissions: {\n` +
      `      publish: { allow: ${list(publishRights(name))}, deny: ${list(forbidden)} }\n` +
      `      subscribe: ">"\n    } }`,
  )
  return `host: "${options.host}"
port: ${options.port}
max_payload: 1MB
jetstream { store_dir: "${options.storeDir}" }
authorization {
  users: [
${users.join('\n')}
  ]
}
`
}
