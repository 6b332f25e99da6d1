import type { ServiceName } from '@looptide/contracts/service-names'
import { connect, jetstream } from '@looptide/service-kit/events/nats-client'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { expect } from 'vitest'
import type { FaultHarness } from '../support/fault-harness.ts'
import { letAnHourPass } from '../support/guarded-actions.ts'
import { signIn } from '../support/people.ts'

/** One subject per consumer of the station. */
const LISTENED: Readonly<Record<string, readonly string[]>> = {
  'admin-audit': [
    'auth.audit.recorded.v1',
    'catalogue.audit.recorded.v1',
    'stream.audit.recorded.v1',
    'chat.audit.recorded.v1',
    'admin.audit.recorded.v1',
    'metadata.audit.recorded.v1',
  ],
  catalogue: ['metadata.video.resolved.v1', 'auth.user.restricted.v1', 'stream.video.quarantined.v1'],
  chat: ['auth.user.restricted.v1', 'stream.channel.updated.v1'],
  'metadata-worker': ['catalogue.metadata.requested.v1'],
  'stream-scheduler': ['catalogue.video.updated.v1'],
}
const LONG_WAIT = { timeoutMs: 30_000 }

/**
 * Publishes a message that is not an event to every stream. Each consumer stores it as a dead letter. A replay is refused
 * with the reason, and the dead letter can be dropped. (Failing handlers: see the tests of service-kit.)
 */
export async function poisonEveryStream({ station, lines }: FaultHarness): Promise<void> {
  const types = new Set(Object.values(LISTENED).flat())
  const poison = `{"no":"event","of":"${crypto.randomUUID()}"}`
  const nats = await connect({ servers: new URL(lines.nats.backing.url).host })
  for (const type of types) await jetstream(nats).publish(type, poison)
  await nats.close()
  const token = await signIn(station.url, testAdmin.email, testAdmin.password)
  const client = clientOf(station.url, token)
  for (const [service, listened] of Object.entries(LISTENED) as [ServiceName, readonly string[]][]) {
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
