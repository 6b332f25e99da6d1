import type { EventService } from '@looptide/contracts/event'
import { EVENT_SUBSCRIPTIONS } from '@looptide/contracts/event-subscriptions'
import { AUDIT_STREAM, streamOf } from '@looptide/contracts/events'
import type { ServiceName } from '@looptide/contracts/service-names'
import { connect, jetstream } from '@looptide/service-kit/events/nats-client'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { expect } from 'vitest'
import type { FaultHarness } from '../support/fault-harness.ts'
import { letAnHourPass } from '../support/guarded-actions.ts'
import { signIn } from '../support/people.ts'

const SERVICES = (Object.keys(EVENT_SUBSCRIPTIONS) as EventService[]).filter(
  (service): service is EventService & ServiceName => EVENT_SUBSCRIPTIONS[service].consumes.length > 0,
)
/** One event type for each durable consumer of the station, and those of every audit log. */
const TYPES = new Set(
  SERVICES.flatMap((service) => {
    const { consumes } = EVENT_SUBSCRIPTIONS[service]
    const ofEachStream = [...Map.groupBy(consumes, streamOf).values()].flatMap(([type]) => type ?? [])
    return [...ofEachStream, ...consumes.filter((type) => streamOf(type) === AUDIT_STREAM)]
  }),
)
const LONG_WAIT = { timeoutMs: 30_000 }

/**
 * Publishes a message that is not an event to every stream. Each consumer stores it as a dead letter. A replay is refused
 * with the reason, and the dead letter can be dropped. (Failing handlers: see the tests of service-kit.)
 */
export async function poisonEveryStream({ station, lines }: FaultHarness): Promise<void> {
  const poison = `{"no":"event","of":"${crypto.randomUUID()}"}`
  const nats = await connect({ servers: new URL(lines.nats.backing.url).host })
  for (const type of TYPES) await jetstream(nats).publish(type, poison)
  await nats.close()
  const token = await signIn(station.url, testAdmin.email, testAdmin.password)
  const client = clientOf(station.url, token)
  for (const service of SERVICES) {
    const listened = EVENT_SUBSCRIPTIONS[service].consumes.filter((type) => TYPES.has(type))
    const letters = await until(
      `${service} has a dead letter`,
      async () => {
        const { items } = await client.call(`GET /api/dead-letters/${service}`)
        const ours = items.filter(({ envelope }) => envelope === poison)
        return ours.length === listened.length && ours
      },
      LONG_WAIT,
    )
    expect(letters.map(({ subject }) => subject).sort()).toEqual([...listened].sort())
    for (const { id } of letters) {
      await letAnHourPass(station)
      await expect(
        client.call(`POST /api/dead-letters/${service}/:id/replay`, { params: { id: Number(id) } }),
      ).rejects.toThrow('"code":"conflict"')
      await client.call(`DELETE /api/dead-letters/${service}/:id`, { params: { id: Number(id) } })
    }
  }
}
