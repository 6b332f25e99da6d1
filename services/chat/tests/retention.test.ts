import { randomUUID } from 'node:crypto'
import { BATCH_ROWS } from '@looptide/service-kit/db/batches'
import { minIdAt, newId } from '@looptide/service-kit/db/ids'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { watchDeletes } from '@looptide/testkit/watch-deletes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Retention } from '../src/features/messages/retention.ts'
import { ChatClient, type ChatHarness, startChatHarness } from './_harness.ts'

const DAY_MS = 86_400_000
const channel = 'channel-1'
let harness: ChatHarness
let replica: RunningService
let moderator: ChatClient

beforeAll(async () => {
  harness = await startChatHarness()
  const person = await harness.identity.createUser('moderator')
  replica = await harness.serve()
  moderator = new ChatClient(replica.url, person)
  await harness.publish('stream.channel.created.v1', channel, {
    channelId: channel,
    name: 'C',
    isActive: true,
  })
  await replica.processAll()
})
afterAll(() => harness.stop())

async function restrict(userId: string, restrictionType: 'chat_banned' | 'restricted'): Promise<string> {
  const restrictionId = randomUUID()
  await harness.publish('auth.user.restricted.v1', userId, {
    userId,
    restrictionId,
    restrictionType,
    reason: 'Banned from chat by administrator',
    expiresAt: null,
  })
  await replica.processAll()
  return restrictionId
}

it('deletes messages older than the setting and continues the sequence numbers', async () => {
  const now = Date.now()
  const row = (seq: number, ageDays: number) => ({
    id: newId(now - ageDays * DAY_MS),
    channelId: channel,
    seq,
    userId: randomUUID(),
    clientId: randomUUID(),
    message: `${ageDays} days old`,
    createdAt: new Date(now - ageDays * DAY_MS),
    removedAt: null,
    removedBy: null,
  })
  await harness.db
    .insertInto('liveChatMessages')
    .values([row(1, 91), row(2, 90.01), row(3, 89.9), row(4, 1)])
    .execute()
  await harness.db.updateTable('channels').set({ lastSeq: 4 }).where('id', '=', channel).execute()
  const logger = createLogger('test', 'silent')
  const retention = new Retention({ db: harness.db, logger, days: 90, now: () => now })
  expect(await retention.run()).toBe(2)
  expect((await moderator.read(channel)).items.map((item) => item.seq)).toEqual([3, 4])
  expect((await moderator.post(channel, 'next')).body.seq).toBe(5)
  expect(minIdAt(now) <= newId(now)).toBe(true)
})

it('deletes restrictions in statements of bounded size', async () => {
  const leaving = randomUUID()
  const insert = (isLifted: boolean) =>
    sql`insert into restrictions (id, user_id, restriction_type, expires_at, is_lifted)
      select gen_random_uuid(), ${leaving}::uuid, 'restricted',
        case when ${isLifted} then now() - interval '9 days' end, ${isLifted}
      from generate_series(1, ${2 * BATCH_ROWS + 1}::integer) n`.execute(harness.db)
  await insert(false)
  await insert(true)
  const most = await watchDeletes(harness.db, 'restrictions')
  await harness.publish('auth.user.deleted.v1', leaving, { userId: leaving })
  await replica.processAll()
  expect(await most()).toBe(BATCH_ROWS)
  const logger = createLogger('test', 'silent')
  await new Retention({ db: harness.db, logger, days: 0, now: Date.now }).run()
  const left = await harness.db
    .selectFrom('restrictions')
    .select('id')
    .where('userId', '=', leaving)
    .execute()
  expect([left.length, await most()]).toEqual([0, BATCH_ROWS])
})

it('deletes a restriction with the account, or eight days after it was lifted', async () => {
  const [leaving, staying] = [randomUUID(), randomUUID()]
  const known = async () =>
    (
      await harness.db
        .selectFrom('restrictions')
        .select('id')
        .where('userId', 'in', [leaving, staying])
        .execute()
    ).map(({ id }) => id)
  await restrict(leaving, 'restricted')
  const [lifted, active] = [await restrict(staying, 'chat_banned'), await restrict(staying, 'restricted')]
  await harness.publish('auth.user.deleted.v1', leaving, { userId: leaving })
  const lift = { userId: staying, restrictionId: lifted, restrictionType: 'chat_banned' as const }
  await harness.publish('auth.user.unrestricted.v1', staying, lift)
  await replica.processAll()
  const logger = createLogger('test', 'silent')
  const after = (days: number) =>
    new Retention({ db: harness.db, logger, days: 0, now: () => Date.now() + days * DAY_MS }).run()
  await after(7.9)
  expect((await known()).toSorted()).toEqual([lifted, active].toSorted())
  await after(8.1)
  expect(await known()).toEqual([active])
})

it('deletes the messages of an account if its owner wants it; open pages drop the newest ones', async () => {
  const [leaving, staying] = [randomUUID(), randomUUID()]
  const { lastSeq } = await moderator.read(channel)
  const message = (seq: number, userId: string, ageDays: number) => ({
    id: newId(Date.now() - ageDays * DAY_MS),
    channelId: channel,
    seq: lastSeq + seq,
    userId,
    clientId: randomUUID(),
    message: `message ${seq}`,
    createdAt: new Date(Date.now() - ageDays * DAY_MS),
    removedAt: null,
    removedBy: null,
  })
  const kept = [message(1, staying, 2), message(2, staying, 0)]
  const recent = message(3, leaving, 0)
  // Open pages may show it: its evening may be on again.
  const past = message(4, leaving, 40)
  await harness.db
    .insertInto('liveChatMessages')
    .values([...kept, recent, past])
    .execute()
  // Their ids sort before those of today.
  await sql`insert into live_chat_messages (id, channel_id, seq, user_id, client_id, message, created_at)
    select overlay(gen_random_uuid()::text placing '00000000' from 1)::uuid, ${channel}, ${lastSeq + 4} + n, ${leaving}::uuid, gen_random_uuid(), 'old', now() - interval '3 days'
    from generate_series(1, ${BATCH_ROWS + 1}) n`.execute(harness.db)
  const most = await watchDeletes(harness.db, 'live_chat_messages')
  await harness.publish('auth.user.deleted.v1', staying, { userId: staying })
  await harness.publish('auth.user.deleted.v1', leaving, { userId: leaving, deletesMessages: true })
  await replica.processAll()
  const left = await harness.db
    .selectFrom('liveChatMessages')
    .select(['id', 'message', 'isDeleted'])
    .where('userId', 'in', [leaving, staying])
    .orderBy('seq')
    .execute()
  expect(left).toEqual([
    ...kept.map(({ id, message }) => ({ id, message, isDeleted: false })),
    { id: recent.id, message: '-', isDeleted: true },
  ])
  expect(await most()).toBe(BATCH_ROWS)
  expect((await moderator.read(channel)).removedIds).toContain(recent.id)
  const replay = await moderator.read(channel, `?fromMs=${Date.now() - 50 * DAY_MS}&limit=100`)
  expect(replay.items.filter(({ userId }) => userId === leaving)).toEqual([])
  expect(replay.items.map(({ id }) => id)).toEqual(expect.arrayContaining(kept.map(({ id }) => id)))
  const { rows } = await sql<{ messageId: string }>`
    select data->>'messageId' as message_id from outbox where type = 'chat.message.removed.v1'
    union select data->>'messageId' from published_events where type = 'chat.message.removed.v1'`.execute(
    harness.db,
  )
  const removed = rows.map(({ messageId }) => messageId)
  expect(removed).toEqual(expect.arrayContaining([recent.id, past.id]))
  expect(removed).toHaveLength(500)
})
