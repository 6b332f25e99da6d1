import { randomUUID } from 'node:crypto'
import type { Envelope } from '@looptide/contracts/events'
import { withClient } from '@looptide/runner/database/set-up'
import { EventKeys, eventPublicKeys } from '@looptide/service-kit/event-keys'
import { connect, jetstream } from '@looptide/service-kit/nats-client'
import { publishEnvelope } from '@looptide/service-kit/publish-envelope'
import { until } from '@looptide/testkit/until'
import { expect } from 'vitest'
import type { FaultStage } from '../support/fault-stage.ts'

/** Published at once: a store that syncs each message to a busy disk acknowledges these within the time limit. */
const BATCH = 100
const PATIENT = { timeoutMs: 240_000 }

/** So many changes of one person's name are told while the chat service is down; answers when it has taken them all. */
export async function outlastAnOutage(stage: FaultStage, count: number): Promise<void> {
  const { station, lines } = stage
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
  await until('the last one is taken', async () => (await taken(stage, ids.slice(-1))) === 1, PATIENT)
  const tookS = ((performance.now() - startedAtMs) / 1000).toFixed(1)
  console.log(`${count} queued events were taken in ${tookS} s after chat was ready`)
  expect(await taken(stage, ids)).toBe(count)
  expect(await inOrder(stage, ids)).toBe(true)
  expect(await nameOf(stage, userId)).toBe(`name-${count}`)
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

/** How many of these events chat's inbox has; each is there once, by its key. */
async function taken(stage: FaultStage, ids: readonly string[]): Promise<number> {
  const { rows } = await ask<{ count: number }>(
    stage,
    `select count(*)::int as count from chat.inbox where consumer = 'chat--auth' and event_id = any($1)`,
    [ids],
  )
  return rows[0]?.count ?? 0
}

/** Whether they were taken in the order in which they were told. */
async function inOrder(stage: FaultStage, ids: readonly string[]): Promise<boolean> {
  const { rows } = await ask<{ event_id: string }>(
    stage,
    `select event_id from chat.inbox where consumer = 'chat--auth' and event_id = any($1) order by received_at`,
    [ids],
  )
  return rows.every(({ event_id }, index) => event_id === ids[index])
}

async function nameOf(stage: FaultStage, userId: string): Promise<string | undefined> {
  const { rows } = await ask<{ handle: string }>(
    stage,
    'select handle from chat.profiles where user_id = $1',
    [userId],
  )
  return rows[0]?.handle
}

function ask<R extends object>(stage: FaultStage, sql: string, values: unknown[]) {
  return withClient(stage.databaseUrl, (client) => client.query<R>(sql, values))
}
