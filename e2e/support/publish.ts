import type { Station } from '@looptide/runner/station'
import { connect } from 'nats'

/** Publishes a message in the name of a service, as a faulty or a newer release of it might. */
export async function publish(
  station: Station,
  service: Parameters<Station['natsUrlFor']>[0],
  subject: string,
  message: object,
): Promise<void> {
  const { host, username, password } = new URL(station.natsUrlFor(service))
  const nats = await connect({ servers: host, user: username, pass: decodeURIComponent(password) })
  await nats.jetstream().publish(subject, JSON.stringify(message))
  await nats.close()
}
