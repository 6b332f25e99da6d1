import type { Station } from '@looptide/runner/station'
import { jetstream } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'

/** Publishes a message in the name of a service, as a faulty or a newer release of it might. */
export async function publish(
  station: Station,
  service: Parameters<Station['natsUrlFor']>[0],
  subject: string,
  message: object,
): Promise<void> {
  const { host, username, password } = new URL(station.natsUrlFor(service))
  const nats = await connect({ servers: host, user: username, pass: decodeURIComponent(password) })
  await jetstream(nats).publish(subject, JSON.stringify(message))
  await nats.close()
}
