import { randomUUID } from 'node:crypto'
import type { ChatPermissions } from '@looptide/contracts/http/chat'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ChatClient, type ChatHarness, startChatHarness } from './_harness.ts'

const DAY_MS = 86_400_000
let harness: ChatHarness
let replica1: RunningService
let replica2: RunningService
let moderator: ChatClient
let channel: string
let channelCount = 0

beforeAll(async () => {
  harness = await startChatHarness()
  const person = await harness.identity.createUser('moderator')
  replica1 = await harness.serve()
  replica2 = await harness.serve()
  moderator = new ChatClient(replica1.url, person)
})
afterAll(() => harness.stop())
beforeEach(async () => {
  channelCount += 1
  channel = `channel-${channelCount}`
  await harness.publish('stream.channel.created.v1', channel, {
    channelId: channel,
    name: 'C',
    isActive: true,
  })
  await replica1.processAll()
})

/** Clients of a new user at both replicas. */
async function connectUserToBoth(): Promise<[ChatClient, ChatClient]> {
  const person = await harness.identity.createUser()
  return [new ChatClient(replica1.url, person), new ChatClient(replica2.url, person)]
}

const restrict = async (
  userId: string,
  restrictionType: 'chat_banned' | 'site_banned' | 'restricted',
  expiresAt: string | null = null,
): Promise<string> => {
  const restrictionId = randomUUID()
  await harness.publish('auth.user.restricted.v1', userId, {
    userId,
    restrictionId,
    restrictionType,
    reason: 'Banned from chat by administrator',
    expiresAt,
  })
  await replica1.processAll()
  return restrictionId
}

describe('a restricted user', () => {
  it.each(['chat_banned', 'site_banned', 'restricted'] as const)(
    'who is %s cannot post until the restriction is lifted',
    async (type) => {
      const [atReplica1, atReplica2] = await connectUserToBoth()
      expect((await atReplica1.post(channel, 'before')).status).toBe(201)
      const userId = atReplica1.person!.id
      const restrictionId = await restrict(userId, type)
      for (const client of [atReplica1, atReplica2]) {
        const answer = await client.post(channel, 'during')
        expect(answer.status).toBe(403)
        expect(answer.body).toMatchObject({
          code: 'user_restricted',
          message: 'Failed to send message. You may be restricted from chat.',
        })
      }
      await harness.publish('auth.user.unrestricted.v1', userId, {
        userId,
        restrictionId,
        restrictionType: type,
      })
      await replica1.processAll()
      expect((await atReplica1.post(channel, 'after')).status).toBe(201)
    },
  )

  it('may post after one restriction has expired, but not while another one is in force', async () => {
    const [atReplica1] = await connectUserToBoth()
    const userId = atReplica1.person!.id
    await restrict(userId, 'chat_banned', new Date(Date.now() - 1000).toISOString())
    expect((await atReplica1.post(channel, 'it is over')).status).toBe(201)
    await restrict(userId, 'chat_banned', new Date(Date.now() + DAY_MS).toISOString())
    expect((await atReplica1.post(channel, 'not yet')).status).toBe(403)
  })

  it('may post if the event of the restriction arrives after the event that lifts it', async () => {
    const [atReplica1] = await connectUserToBoth()
    const userId = atReplica1.person!.id
    const restrictionId = randomUUID()
    const common = { userId, restrictionId, restrictionType: 'chat_banned' as const }
    await harness.publish('auth.user.unrestricted.v1', userId, common)
    await harness.publish('auth.user.restricted.v1', userId, { ...common, reason: 'x', expiresAt: null })
    await replica1.processAll()
    expect((await atReplica1.post(channel, 'hello')).status).toBe(201)
  })

  it('receives the first message when repeating one posted before the restriction', async () => {
    const [atReplica1] = await connectUserToBoth()
    const clientId = randomUUID()
    await atReplica1.post(channel, 'before', clientId)
    await restrict(atReplica1.person!.id, 'chat_banned')
    expect((await atReplica1.post(channel, 'before', clientId)).status).toBe(200)
  })
})

describe('the rate limit', () => {
  it('applies across replicas and returns the time to wait', async () => {
    const [atReplica1, atReplica2] = await connectUserToBoth()
    const startedAtMs = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? atReplica1 : atReplica2).post(channel, `m${i}`)),
    )
    const elapsedS = (performance.now() - startedAtMs) / 1000
    const accepted = answers.filter((answer) => answer.status === 201)
    expect(accepted.length).toBeGreaterThanOrEqual(10)
    // Ten at once, and one per second.
    expect(accepted.length).toBeLessThanOrEqual(10 + Math.ceil(elapsedS))
    const refused = answers.find((answer) => answer.status === 429)!
    expect(refused.body.code).toBe('rate_limited')
    expect(refused.body.retryAfterMs).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await atReplica1.read(channel)).lastSeq).toBe(accepted.length)
  })

  it('counts each user separately', async () => {
    const [atReplica1] = await connectUserToBoth()
    await Promise.all(Array.from({ length: 20 }, (_, i) => atReplica1.post(channel, `m${i}`)))
    const [other] = await connectUserToBoth()
    expect((await other.post(channel, 'hello')).status).toBe(201)
  })
})

describe('slow mode', () => {
  it('delays viewers at every replica, but not moderators', async () => {
    const path = `/api/chat/channels/${channel}/settings`
    expect((await moderator.request('PATCH', path, { slowModeS: 600 })).body).toEqual({ slowModeS: 600 })
    expect((await moderator.request('GET', path)).body).toEqual({ slowModeS: 600 })
    const [atReplica1, atReplica2] = await connectUserToBoth()
    expect((await atReplica1.post(channel, 'first')).status).toBe(201)
    for (const client of [atReplica2, atReplica1]) {
      const answer = await client.post(channel, 'second')
      expect(answer.status).toBe(429)
      expect(answer.body.retryAfterMs).toBeGreaterThan(590_000)
    }
    expect((await moderator.post(channel, 'first')).status).toBe(201)
    expect((await moderator.post(channel, 'second')).status).toBe(201)
    await replica1.processAll()
    const audits = (await contentsOf(harness.nats, 'AUDIT')).filter(
      (event) => event.type === 'chat.audit.recorded.v1' && event.aggregateId === channel,
    )
    expect(audits.map((event) => event.data)).toMatchObject([
      { action: 'chat_settings.update', before: { slowModeS: 0 }, after: { slowModeS: 600 } },
    ])
  })

  it('is published when it changes, returned with each page, and delays no message once it is off', async () => {
    const path = `/api/chat/channels/${channel}/settings`
    const [atReplica1, atReplica2] = await connectUserToBoth()
    await moderator.request('PATCH', path, { slowModeS: 600 })
    await moderator.request('PATCH', path, { slowModeS: 600 })
    expect((await atReplica1.read(channel)).slowModeS).toBe(600)
    await atReplica1.post(channel, 'first')
    expect((await atReplica2.post(channel, 'second')).status).toBe(429)
    await moderator.request('PATCH', path, { slowModeS: 0 })
    expect((await atReplica1.post(channel, 'second')).status).toBe(201)
    // The replica that refused the message repeats its refusal for up to two seconds.
    await until(
      'the other replica accepts the message',
      async () => (await atReplica2.post(channel, 'third')).status === 201,
    )
    await replica1.processAll()
    const published = (await contentsOf(harness.nats, 'CHAT')).filter(
      (event) => event.type === 'chat.settings.changed.v1' && event.aggregateId === channel,
    )
    expect(published.map((event) => event.data)).toEqual([
      { channelId: channel, slowModeS: 600 },
      { channelId: channel, slowModeS: 0 },
    ])
  })

  it('can be set by moderators only, within bounds, for existing channels', async () => {
    const [atReplica1] = await connectUserToBoth()
    const path = `/api/chat/channels/${channel}/settings`
    expect((await atReplica1.request('PATCH', path, { slowModeS: 5 })).status).toBe(403)
    expect((await new ChatClient(replica1.url, null).request('PATCH', path, { slowModeS: 5 })).status).toBe(
      401,
    )
    for (const body of [
      { slowModeS: -1 },
      { slowModeS: 3601 },
      { slowModeS: 1.5 },
      {},
      { slowModeS: 1, x: 1 },
    ]) {
      expect((await moderator.request('PATCH', path, body)).status).toBe(400)
    }
    expect(
      (await moderator.request('PATCH', '/api/chat/channels/nowhere/settings', { slowModeS: 5 })).status,
    ).toBe(404)
    expect((await moderator.request('GET', '/api/chat/channels/nowhere/settings')).status).toBe(404)
  })
})

describe('chat permissions', () => {
  const permissions = (client: ChatClient, id = channel) =>
    client.request<ChatPermissions & { code?: string }>('GET', `/api/chat/channels/${id}/permissions`)

  it('list the restrictions in force, of each type the longest, and none that has ended', async () => {
    const [atReplica1, atReplica2] = await connectUserToBoth()
    const userId = atReplica1.person!.id
    expect((await permissions(atReplica1)).body).toEqual({
      restrictions: [],
      waitMs: 0,
      newAccountSlowModeS: 0,
      held: [],
    })
    const until = new Date(Date.now() + DAY_MS).toISOString()
    await restrict(userId, 'chat_banned', new Date(Date.now() - 1000).toISOString())
    expect((await permissions(atReplica1)).body.restrictions).toEqual([])
    await restrict(userId, 'chat_banned', until)
    const longer = await restrict(userId, 'chat_banned')
    await restrict(userId, 'restricted', until)
    expect((await permissions(atReplica2)).body.restrictions).toEqual([
      { restrictionType: 'chat_banned', expiresAt: null },
      { restrictionType: 'restricted', expiresAt: until },
    ])
    const lifted = { userId, restrictionId: longer, restrictionType: 'chat_banned' as const }
    await harness.publish('auth.user.unrestricted.v1', userId, lifted)
    await replica1.processAll()
    expect((await permissions(atReplica1)).body.restrictions[0]).toEqual({
      restrictionType: 'chat_banned',
      expiresAt: until,
    })
  })

  it('show viewers how long slow mode delays them, and moderators that it does not', async () => {
    const [atReplica1, atReplica2] = await connectUserToBoth()
    await moderator.request('PATCH', `/api/chat/channels/${channel}/settings`, { slowModeS: 600 })
    expect((await permissions(atReplica1)).body.waitMs).toBe(0)
    await atReplica1.post(channel, 'first')
    await moderator.post(channel, 'first')
    const { waitMs } = (await permissions(atReplica2)).body
    expect(waitMs).toBeGreaterThan(590_000)
    expect(waitMs).toBeLessThanOrEqual(600_000)
    expect((await permissions(moderator)).body.waitMs).toBe(0)
  })

  it('are for signed-in users, in existing channels', async () => {
    const [atReplica1] = await connectUserToBoth()
    expect((await permissions(new ChatClient(replica1.url, null))).status).toBe(401)
    expect((await permissions(atReplica1, 'nowhere')).status).toBe(404)
  })
})
