import type { ServiceName } from '@looptide/backing/service-names'
import { EVENT_SUBSCRIPTIONS } from '@looptide/contracts/event-subscriptions'
import type { Station } from '@looptide/runner/station/station'
import { EventKeys, eventPublicKeys, SIGNATURE_HEADER } from '@looptide/service-kit/events/event-keys'
import { connect, headers, jetstream } from '@looptide/service-kit/events/nats-client'

/** Publishes a message with a service's signature, as a faulty or newer release of the service could. */
export async function publish(
  station: Station,
  service: Exclude<ServiceName, 'gateway'>,
  subject: string,
  message: object,
): Promise<void> {
  await publishText(station, service, subject, JSON.stringify(message))
}

/** As above, with any text as the message. */
export async function publishText(
  station: Station,
  service: Exclude<ServiceName, 'gateway'>,
  subject: string,
  text: string,
): Promise<void> {
  const { host, username, password } = new URL(station.natsUrlFor(service))
  const inboxPrefix = `_INBOX.${service}`
  const nats = await connect({
    servers: host,
    user: username,
    pass: decodeURIComponent(password),
    inboxPrefix,
  })
  const { eventKeys } = station.secrets
  const keys = new EventKeys(eventKeys[EVENT_SUBSCRIPTIONS[service].owner], eventPublicKeys(eventKeys))
  const signed = headers()
  signed.set(SIGNATURE_HEADER, keys.sign(subject, Buffer.from(text)))
  await jetstream(nats).publish(subject, text, { headers: signed })
  await nats.close()
}
