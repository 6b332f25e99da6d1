import { randomUUID } from 'node:crypto'
import type { ChatPermissions } from '@looptide/contracts/http/chat'
import { BATCH_ROWS } from '@looptide/service-kit/batches'
import { minIdAt, newId } from '@looptide/service-kit/ids'
import { createLogger } from '@looptide/service-kit/logger'
import type { RunningService } from '@looptide/service-kit/run-service'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { watchDeletes } from '@looptide/testkit/watch-deletes'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Retention } from '../src/features/messages/retention.ts'
import { type ChatStage, Client, setStage } from './fixtures.ts'

const DAY_MS = 86_400_000
let stage: ChatStage
let one: RunningService
let two: RunningService
let moderator: Client
let channel: string
let made = 0

beforeAll(async () => {
  stage = await setStage()
  const person = await stage.identity.createUser('moderator')
  one = await stage.serve()
  two = await stage.serve()
  moderator = new Client(one.url, person)
})
afterAll(() => stage.stop())
beforeEach(async () => {
  made += 1
  channel = `channel-${made}`
  await stage.tell('stream.channel.created.v1', channel, { channelId: channel, name: 'C', isActive: true })
  await one.processAll()
})

/** The same person at both replicas. */
async function somebody(): Promise<[Client, Client]> {
  const person = await stage.identity.createUser()
  return [new Client(one.url, person), new Client(two.url, person)]
}

const restrict = async (
  userId: string,
  restrictionType: 'chat_banned' | 'site_banned' | 'restricted',
  expiresAt: string | null = null,
): Promise<string> => {
  const restrictionId = randomUUID()
  await stage.tell('auth.user.restricted.v1', userId, {
    userId,
    restrictionId,
    restrictionType,
    reason: 'Banned from chat by administrator',
    expiresAt,
  })
  await one.processAll()
  return restrictionId
}

describe('a restricted person', () => {
  it.each(['chat_banned', 'site_banned', 'restricted'] as const)(
    'who is %s cannot write, until that is lifted',
    async (type) => {
      const [here, there] = await somebody()
      expect((await here.say(channel, 'before')).status).toBe(201)
      const userId = here.person!.id
      const restrictionId = await restrict(userId, type)
      for (const client of [here, there]) {
        const answer = await client.say(channel, 'during')
        expect(answer.status).toBe(403)
        expect(answer.body).toMatchObject({
          code: 'user_restricted',
          message: 'Failed to send message. You may be restricted from chat.',
        })
      }
      await stage.tell('auth.user.unrestricted.v1', userId, { userId, restrictionId, restrictionType: type })
      await one.processAll()
      expect((await here.say(channel, 'after')).status).toBe(201)
    },
  )

  it('may write again when the time is over, and while another restriction stands may not', async () => {
    const [here] = await somebody()
    const userId = here.person!.id
    await restrict(userId, 'chat_banned', new Date(Date.now() - 1000).toISOString())
    expect((await here.say(channel, 'it is over')).status).toBe(201)
    await restrict(userId, 'chat_banned', new Date(Date.now() + DAY_MS).toISOString())
    expect((await here.say(channel, 'not yet')).status).toBe(403)
  })

  it('stays free when the news of the restriction comes after that of its end', async () => {
    const [here] = await somebody()
    const userId = here.person!.id
    const restrictionId = randomUUID()
    const common = { userId, restrictionId, restrictionType: 'chat_banned' as const }
    await stage.tell('auth.user.unrestricted.v1', userId, common)
    await stage.tell('auth.user.restricted.v1', userId, { ...common, reason: 'x', expiresAt: null })
    await one.processAll()
    expect((await here.say(channel, 'hello')).status).toBe(201)
  })

  it('still gets the first answer for a message that was taken before', async () => {
    const [here] = await somebody()
    const clientId = randomUUID()
    await here.say(channel, 'before', clientId)
    await restrict(here.person!.id, 'chat_banned')
    expect((await here.say(channel, 'before', clientId)).status).toBe(200)
  })
})

describe('the rate limit', () => {
  it('holds across replicas and says how long to wait', async () => {
    const [here, there] = await somebody()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? here : there).say(channel, `m${i}`)),
    )
    const accepted = answers.filter((answer) => answer.status === 201)
    expect(accepted.length).toBeGreaterThanOrEqual(10)
    expect(accepted.length).toBeLessThanOrEqual(13)
    const refused = answers.find((answer) => answer.status === 429)!
    expect(refused.body.code).toBe('rate_limited')
    expect(refused.body.retryAfterMs).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await here.read(channel)).lastSeq).toBe(accepted.length)
  })

  it('is one person’s own', async () => {
    const [here] = await somebody()
    await Promise.all(Array.from({ length: 20 }, (_, i) => here.say(channel, `m${i}`)))
    const [other] = await somebody()
    expect((await other.say(channel, 'hello')).status).toBe(201)
  })
})

describe('slow mode', () => {
  it('keeps viewers waiting at every replica, not moderators', async () => {
    const path = `/api/chat/channels/${channel}/settings`
    expect((await moderator.ask('PATCH', path, { slowModeS: 600 })).body).toEqual({ slowModeS: 600 })
    expect((await moderator.ask('GET', path)).body).toEqual({ slowModeS: 600 })
    const [here, there] = await somebody()
    expect((await here.say(channel, 'first')).status).toBe(201)
    for (const client of [there, here]) {
      const answer = await client.say(channel, 'second')
      expect(answer.status).toBe(429)
      expect(answer.body.retryAfterMs).toBeGreaterThan(590_000)
    }
    expect((await moderator.say(channel, 'first')).status).toBe(201)
    expect((await moderator.say(channel, 'second')).status).toBe(201)
    await one.processAll()
    const audits = (await contentsOf(stage.nats, 'AUDIT')).filter(
      (event) => event.type === 'chat.audit.recorded.v1' && event.aggregateId === channel,
    )
    expect(audits.map((event) => event.data)).toMatchObject([
      { action: 'chat_settings.update', before: { slowModeS: 0 }, after: { slowModeS: 600 } },
    ])
  })

  it('is told to everybody when it changes, stands on each page, and holds nobody up once it is off', async () => {
    const path = `/api/chat/channels/${channel}/settings`
    const [here, there] = await somebody()
    await moderator.ask('PATCH', path, { slowModeS: 600 })
    await moderator.ask('PATCH', path, { slowModeS: 600 })
    expect((await here.read(channel)).slowModeS).toBe(600)
    await here.say(channel, 'first')
    expect((await there.say(channel, 'second')).status).toBe(429)
    await moderator.ask('PATCH', path, { slowModeS: 0 })
    expect((await here.say(channel, 'second')).status).toBe(201)
    // The replica that has refused repeats that for a moment.
    await until('it may be said there too', async () => (await there.say(channel, 'third')).status === 201)
    await one.processAll()
    const told = (await contentsOf(stage.nats, 'CHAT')).filter(
      (event) => event.type === 'chat.settings.changed.v1' && event.aggregateId === channel,
    )
    expect(told.map((event) => event.data)).toEqual([
      { channelId: channel, slowModeS: 600 },
      { channelId: channel, slowModeS: 0 },
    ])
  })

  it('is set by moderators, within bounds, for channels that are there', async () => {
    const [here] = await somebody()
    const path = `/api/chat/channels/${channel}/settings`
    expect((await here.ask('PATCH', path, { slowModeS: 5 })).status).toBe(403)
    expect((await new Client(one.url, null).ask('PATCH', path, { slowModeS: 5 })).status).toBe(401)
    for (const body of [
      { slowModeS: -1 },
      { slowModeS: 3601 },
      { slowModeS: 1.5 },
      {},
      { slowModeS: 1, x: 1 },
    ]) {
      expect((await moderator.ask('PATCH', path, body)).status).toBe(400)
    }
    expect(
      (await moderator.ask('PATCH', '/api/chat/channels/nowhere/settings', { slowModeS: 5 })).status,
    ).toBe(404)
    expect((await moderator.ask('GET', '/api/chat/channels/nowhere/settings')).status).toBe(404)
  })
})

describe('whether one may write', () => {
  const standing = (client: Client, id = channel) =>
    client.ask<ChatPermissions & { code?: string }>('GET', `/api/chat/channels/${id}/permissions`)

  it('is told before one tries: what is in force, of each kind the longest, and nothing that is over', async () => {
    const [here, there] = await somebody()
    const userId = here.person!.id
    expect((await standing(here)).body).toEqual({ restrictions: [], waitMs: 0 })
    const until = new Date(Date.now() + DAY_MS).toISOString()
    await restrict(userId, 'chat_banned', new Date(Date.now() - 1000).toISOString())
    expect((await standing(here)).body.restrictions).toEqual([])
    await restrict(userId, 'chat_banned', until)
    const longer = await restrict(userId, 'chat_banned')
    await restrict(userId, 'restricted', until)
    expect((await standing(there)).body.restrictions).toEqual([
      { restrictionType: 'chat_banned', expiresAt: null },
      { restrictionType: 'restricted', expiresAt: until },
    ])
    const lifted = { userId, restrictionId: longer, restrictionType: 'chat_banned' as const }
    await stage.tell('auth.user.unrestricted.v1', userId, lifted)
    await one.processAll()
    expect((await standing(here)).body.restrictions[0]).toEqual({
      restrictionType: 'chat_banned',
      expiresAt: until,
    })
  })

  it('says how long slow mode still has one wait, moderators never', async () => {
    const [here, there] = await somebody()
    await moderator.ask('PATCH', `/api/chat/channels/${channel}/settings`, { slowModeS: 600 })
    expect((await standing(here)).body.waitMs).toBe(0)
    await here.say(channel, 'first')
    await moderator.say(channel, 'first')
    const { waitMs } = (await standing(there)).body
    expect(waitMs).toBeGreaterThan(590_000)
    expect(waitMs).toBeLessThanOrEqual(600_000)
    expect((await standing(moderator)).body.waitMs).toBe(0)
  })

  it('is for signed-in people, in channels that are there', async () => {
    const [here] = await somebody()
    expect((await standing(new Client(one.url, null))).status).toBe(401)
    expect((await standing(here, 'nowhere')).status).toBe(404)
  })
})

describe('retention', () => {
  it('forgets what is older than the setting and goes on counting', async () => {
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
    await stage.db
      .insertInto('liveChatMessages')
      .values([row(1, 91), row(2, 90.01), row(3, 89.9), row(4, 1)])
      .execute()
    await stage.db.updateTable('channels').set({ lastSeq: 4 }).where('id', '=', channel).execute()
    const logger = createLogger('test', 'silent')
    const retention = new Retention({ db: stage.db, logger, days: 90, now: () => now })
    expect(await retention.run()).toBe(2)
    expect((await moderator.read(channel)).items.map((item) => item.seq)).toEqual([3, 4])
    expect((await moderator.say(channel, 'next')).body.seq).toBe(5)
    expect(minIdAt(now) <= newId(now)).toBe(true)
  })

  it('forgets restrictions in bounded statements, however many there are', async () => {
    const leaving = randomUUID()
    const insert = (isLifted: boolean) =>
      sql`insert into restrictions (id, user_id, restriction_type, expires_at, is_lifted)
        select gen_random_uuid(), ${leaving}::uuid, 'restricted',
          case when ${isLifted} then now() - interval '9 days' end, ${isLifted}
        from generate_series(1, ${2 * BATCH_ROWS + 1}::integer) n`.execute(stage.db)
    await insert(false)
    await insert(true)
    const most = await watchDeletes(stage.db, 'restrictions')
    await stage.tell('auth.user.deleted.v1', leaving, { userId: leaving })
    await one.processAll()
    expect(await most()).toBe(BATCH_ROWS)
    const logger = createLogger('test', 'silent')
    await new Retention({ db: stage.db, logger, days: 0, now: Date.now }).run()
    const left = await stage.db
      .selectFrom('restrictions')
      .select('id')
      .where('userId', '=', leaving)
      .execute()
    expect([left.length, await most()]).toEqual([0, BATCH_ROWS])
  })

  it('forgets a restriction with the account, or eight days after it was lifted', async () => {
    const [leaving, staying] = [randomUUID(), randomUUID()]
    const known = async () =>
      (
        await stage.db
          .selectFrom('restrictions')
          .select('id')
          .where('userId', 'in', [leaving, staying])
          .execute()
      ).map(({ id }) => id)
    await restrict(leaving, 'restricted')
    const [lifted, standing] = [await restrict(staying, 'chat_banned'), await restrict(staying, 'restricted')]
    await stage.tell('auth.user.deleted.v1', leaving, { userId: leaving })
    const lift = { userId: staying, restrictionId: lifted, restrictionType: 'chat_banned' as const }
    await stage.tell('auth.user.unrestricted.v1', staying, lift)
    await one.processAll()
    const logger = createLogger('test', 'silent')
    const after = (days: number) =>
      new Retention({ db: stage.db, logger, days: 0, now: () => Date.now() + days * DAY_MS }).run()
    await after(7.9)
    expect((await known()).toSorted()).toEqual([lifted, standing].toSorted())
    await after(8.1)
    expect(await known()).toEqual([standing])
  })
})
