import { randomUUID } from 'node:crypto'
import { withClient } from '@looptide/backing/database/set-up'
import type { Envelope } from '@looptide/contracts/events'
import { EventKeys, eventPublicKeys } from '@looptide/service-kit/events/event-keys'
import { connect, jetstream } from '@looptide/service-kit/events/nats-client'
import { publishEnvelope } from '@looptide/service-kit/events/publish-envelope'
import { until } from '@looptide/testkit/until'
import { expect } from 'vitest'
import type { FaultHarness } from '../support/fault-harness.ts'

/** Number of messages published concurrently: few enough for a busy disk to sync them within the time limit. */
const BATCH = 100
const LONG_WAIT = { timeoutMs: 240_000 }

/** Publishes `count` renames of one user while chat is down, starts chat, and resolves when it has applied them all. */
export async function outlastAnOutage(harness: FaultHarness, count: number): Promise<void> {
  const { station, lines } = harness
  await station.halt('chat')
  const userId = randomUUID()
  const events = Array.from({ length: count }, (_, index) => renamed(userId, index + 1))
  const nats = await connect({ servers: new URL(lines.nats.backing.url).host })
  const { eventKeys } = station.secrets
  const keys = new EventKeys(eventKeys.auth, eventPublicKeys(eventKeys))
  for (let at = 0; at < count; at += BATCH) {
    const batch = events.slice(at, at + BATCH)
    await Promise.all(batch.map((event) => publishEnvelope(jetstream(nats), keys, event)))
  }
  await nats.close()
  const ids = events.map(({ id }) => id)
  await station.restart('chat')
  const startedAtMs = performance.now()
  await until(
    'the last event is applied',
    async () => (await appliedCount(harness, ids.slice(-1))) === 1,
    LONG_WAIT,
  )
  const tookS = ((performance.now() - startedAtMs) / 1000).toFixed(1)
  console.log(`${count} queued events were applied in ${tookS} s after chat was ready`)
  expect(await appliedCount(harness, ids)).toBe(count)
  expect(await inOrder(harness, ids)).toBe(true)
  expect(await nameOf(harness, userId)).toBe(`name-${count}`)
}

function renamed(userId: string, version: number): Envelope<'auth.profile.updated.v1'> {
  return {
    id: randomUUID(),
    type: 'auth.profile.updated.v1',
    occurredAt: new Date().toISOString(),
    actorId: null,
    correlationId: null,
    aggregateId: userId,
    aggregateVersion: version,
    data: { userId, profile: { userId, handle: `name-${version}`, artistName: null, avatarUrl: null } },
  }
}

/** Number of these events in chat's inbox, whose primary key allows each event once. */
async function appliedCount(harness: FaultHarness, ids: readonly string[]): Promise<number> {
  const { rows } = await ask<{ count: number }>(
    harness,
    `select count(*)::int as count from chat.inbox where consumer = 'chat--auth' and event_id = any($1)`,
    [ids],
  )
  return rows[0]?.count ?? 0
}

/** Whether they were applied in the order in which they were published. */
async function inOrder(harness: FaultHarness, ids: readonly string[]): Promise<boolean> {
  const { rows } = await ask<{ event_id: string }>(
    harness,
    `select event_id from chat.inbox where consumer = 'chat--auth' and event_id = any($1) order by received_at`,
    [ids],
  )
  return rows.every(({ event_id }, index) => event_id === ids[index])
}

async function nameOf(harness: FaultHarness, userId: string): Promise<string | undefined> {
  const { rows } = await ask<{ handle: string }>(
    harness,
    'select handle from chat.profiles where user_id = $1',
    [userId],
  )
  return rows[0]?.handle
}

function ask<R extends object>(harness: FaultHarness, sql: string, values: unknown[]) {
  return withClient(harness.databaseUrl, (client) => client.query<R>(sql, values))
}
