import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type NatsConnection, permissionRefusals } from '@looptide/service-kit/events/nats-client'
import { startClusterServer } from '@looptide/testkit/cluster-server'
import { freePort } from '../src/free-port.ts'
import { natsPasswordVariable } from '../src/nats/nats-config.ts'
import { type NatsUser, natsUsers } from '../src/nats/nats-permissions.ts'
import { repositoryRoot } from '../src/paths.ts'

/** A nats-server with the station's own `infra/nats/users.conf`; each user's password is `pw-<user>`. */
export async function startNatsWithUsers() {
  const port = await freePort()
  let users = readFileSync(join(repositoryRoot, 'infra/nats/users.conf'), 'utf8')
  for (const user of natsUsers) users = users.replace(`$${natsPasswordVariable(user)},`, `"pw-${user}",`)
  const server = await startClusterServer({
    program: 'nats-server',
    image: 'nats:2',
    port,
    args: (folder) => [
      ...['--addr', '127.0.0.1', '--port', String(port), '--jetstream', '--store_dir', folder],
      ...['--config', join(folder, 'member.conf')],
    ],
    config: users,
  })
  return {
    urlFor: (user: NatsUser) => `nats://${user}:pw-${user}@127.0.0.1:${port}`,
    stop: () => server.stop(),
  }
}

/** One user's connection; reports what NATS refuses. */
export class Intruder {
  readonly nats: NatsConnection
  readonly #refused: string[] = []

  constructor(nats: NatsConnection) {
    this.nats = nats
    void this.#watch()
  }

  static async connect(url: string): Promise<Intruder> {
    const { host, username, password } = new URL(url)
    const inboxPrefix = `_INBOX.${username}`
    return new Intruder(await connect({ servers: host, user: username, pass: password, inboxPrefix }))
  }

  async #watch(): Promise<void> {
    for await (const { operation, subject } of permissionRefusals(this.nats))
      this.#refused.push(`${operation} ${subject}`)
  }

  /** The subjects to which it may publish. */
  async canPublish(subjects: readonly string[]): Promise<string[]> {
    for (const subject of subjects) this.nats.publish(subject)
    return this.#allowed('publish', subjects)
  }

  /** The subjects to which it may subscribe. */
  async canSubscribe(subjects: readonly string[]): Promise<string[]> {
    const subscriptions = subjects.map((subject) =>
      this.nats.subscribe(subject, { callback: () => undefined }),
    )
    const allowed = await this.#allowed('subscription', subjects)
    for (const subscription of subscriptions) subscription.unsubscribe()
    return allowed
  }

  /** NATS reports a violation before it answers the flush. */
  async #allowed(operation: string, subjects: readonly string[]): Promise<string[]> {
    await this.nats.flush()
    await new Promise((resolve) => setImmediate(resolve))
    return subjects.filter((subject) => !this.#refused.includes(`${operation} ${subject}`))
  }
}
