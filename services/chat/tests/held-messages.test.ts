import { randomUUID } from 'node:crypto'
import { newId } from '@looptide/service-kit/db/ids'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { clientOf } from '@looptide/testkit/client'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Retention } from '../src/features/messages/retention.ts'
import { ChatClient, type ChatHarness, startChatHarness } from './_harness.ts'

const HOUR_MS = 3_600_000
const LINK = 'cheap at https://example.com'
const WORD = 'perhaps spam'
const strictRules = { linksFromAgeMs: 24 * HOUR_MS, slowModeS: 60 }

let harness: ChatHarness
let service: RunningService
/** A replica with the rules for new accounts. */
let strict: RunningService
let moderator: ChatClient
let channel: string
let channels = 0

beforeAll(async () => {
  harness = await startChatHarness()
  const account = await harness.identity.createUser('moderator')
  service = await harness.serve({ rateLimitFactor: 1000 })
  strict = await harness.serve({ rateLimitFactor: 1000, newAccounts: strictRules })
  moderator = new ChatClient(service.url, account)
  const entries = [{ action: 'hold', kind: 'word', text: 'spam' } as const]
  await api(moderator).call('PUT /api/chat/word-list', { body: { entries } })
})
afterAll(() => harness.stop())
beforeEach(async () => {
  channels += 1
  channel = `c${channels}`
  const data = { channelId: channel, name: 'C', isActive: true }
  await harness.publish('stream.channel.created.v1', channel, data)
  await service.processAll()
})

const newClient = async (at = service) => new ChatClient(at.url, await harness.identity.createUser())
const api = (client: ChatClient) => clientOf(service.url, client.person!.token)
const permissionsOf = (client: ChatClient) =>
  clientOf(client.url, client.person!.token).call('GET /api/chat/channels/:id/permissions', {
    params: { id: channel },
  })
const held = async () =>
  (await api(moderator).call('GET /api/chat/held', {})).items.filter(({ channelId }) => channelId === channel)
const decide = (id: string, decision: string, by = moderator) =>
  by.request<{ code?: string } | null>('POST', `/api/chat/held/${id}/decision`, { decision })
const hold = async (client: ChatClient, text = WORD, clientId = randomUUID()) => {
  const { status, body } = await client.post(channel, text, clientId)
  return { status, ...(body as unknown as { heldId: string; message: string; code?: string }) }
}
const eventsOf = async (id: string) => {
  await service.processAll()
  return (await contentsOf(harness.nats, 'CHAT')).filter(({ aggregateId }) => aggregateId === id)
}
/** A client whose account has just been created. */
async function newcomer(): Promise<ChatClient> {
  const client = await newClient(strict)
  const userId = client.person!.id
  const profile = { userId, handle: 'h', artistName: null, avatarUrl: null }
  await harness.publish('auth.user.registered.v1', userId, { userId, profile }, 1)
  await service.processAll()
  return client
}
/** Sets when the account of this client was created; null for one from before the chat kept that. */
const setRegistered = (client: ChatClient, registeredAt: Date | null) =>
  harness.db.updateTable('profiles').set({ registeredAt }).where('userId', '=', client.person!.id).execute()

describe('a message that is held', () => {
  it('is shown to its sender and to moderators, not to viewers', async () => {
    const author = await newClient()
    const answer = await hold(author)
    expect(answer).toMatchObject({ status: 202, message: WORD })
    expect((await permissionsOf(author)).held).toMatchObject([{ heldId: answer.heldId, message: WORD }])
    expect((await permissionsOf(await newClient())).held).toEqual([])
    expect(await held()).toMatchObject([
      { heldId: answer.heldId, authorId: author.person!.id, reason: 'word' },
    ])
    expect((await author.read(channel)).items).toEqual([])
  })

  it('is posted once, with the time of the decision, and audited', async () => {
    const author = await newClient()
    await author.post(channel, 'first')
    const { heldId } = await hold(author)
    await author.post(channel, 'second')
    const answers = await Promise.all([decide(heldId, 'post'), decide(heldId, 'post')])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409])
    const { items, lastSeq } = await author.read(channel)
    expect(items.map(({ seq, message }) => [seq, message])).toEqual([
      [1, 'first'],
      [2, 'second'],
      [3, WORD],
    ])
    expect(lastSeq).toBe(3)
    expect((await eventsOf(heldId)).map(({ data }) => (data as { state: string }).state)).toEqual([
      'waiting',
      'posted',
    ])
    expect((await eventsOf(channel)).at(-1)?.data).toMatchObject({ message: { id: items[2]!.id, seq: 3 } })
    const audits = (await contentsOf(harness.nats, 'AUDIT')).filter((event) => event.aggregateId === heldId)
    expect(audits).toMatchObject([{ data: { action: 'chat_held.decide', after: { decision: 'post' } } }])
    expect((await permissionsOf(author)).held).toEqual([])
    expect(await held()).toEqual([])
  })

  it('is answered the same when it is sent again, before and after the decision', async () => {
    const author = await newClient()
    const clientId = randomUUID()
    const { heldId } = await hold(author, WORD, clientId)
    expect(await hold(author, WORD, clientId)).toMatchObject({ status: 202, heldId })
    await decide(heldId, 'reject')
    expect(await hold(author, WORD, clientId)).toMatchObject({ status: 202, heldId })
    expect(await held()).toEqual([])
    const other = await hold(author, WORD)
    await decide(other.heldId, 'post')
    expect((await author.read(channel)).items.map(({ message }) => message)).toEqual([WORD])
  })

  it('is decided by others than its author, and by moderators only', async () => {
    const author = await newClient()
    const { heldId } = await hold(author)
    expect((await decide(heldId, 'post', author)).status).toBe(403)
    expect((await author.request('GET', '/api/chat/held')).status).toBe(403)
    expect((await decide(heldId, 'perhaps')).status).toBe(400)
    expect((await decide(randomUUID(), 'post')).status).toBe(404)
    await harness.db
      .updateTable('heldMessages')
      .set({ userId: moderator.person!.id })
      .where('id', '=', heldId)
      .execute()
    expect((await decide(heldId, 'post')).status).toBe(404)
    expect(await held()).toEqual([])
  })

  it('counts within a limit per account, also at the same time, and makes room once it is decided', async () => {
    const author = await newClient()
    const answers = await Promise.all(Array.from({ length: 7 }, (_, i) => hold(author, `spam ${i}`)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array(5).fill(202),
      ...[422, 422],
    ])
    expect((await hold(await newClient())).status).toBe(202)
    await decide(answers.find(({ status }) => status === 202)!.heldId, 'reject')
    expect((await hold(author)).status).toBe(202)
  })

  it('counts within a limit per channel', async () => {
    const rows = Array.from({ length: 999 }, () => ({
      ...{ id: newId(), channelId: channel, userId: randomUUID(), clientId: randomUUID() },
      ...{ message: 'x', reason: 'word' as const, state: 'waiting' as const, heldAt: new Date() },
    }))
    await harness.db.insertInto('heldMessages').values(rows).execute()
    expect((await hold(await newClient())).status).toBe(202)
    expect(await hold(await newClient())).toMatchObject({ status: 422, code: 'message_refused' })
    await harness.db.deleteFrom('heldMessages').where('channelId', '=', channel).execute()
  })

  it('is rejected when its author is restricted', async () => {
    const author = await newClient()
    const { heldId } = await hold(author)
    const userId = author.person!.id
    const restriction = { restrictionId: randomUUID(), restrictionType: 'chat_banned', reason: 'x' } as const
    await harness.publish('auth.user.restricted.v1', userId, { userId, ...restriction, expiresAt: null })
    await service.processAll()
    expect((await decide(heldId, 'post')).status).toBe(409)
    expect((await eventsOf(heldId)).at(-1)?.data).toMatchObject({ state: 'rejected' })
  })

  it('is gone with its channel, with its author’s account, and after a day', async () => {
    const [author, other] = [await newClient(), await newClient()]
    const { heldId } = await hold(author)
    const userId = author.person!.id
    await harness.publish('auth.user.deleted.v1', userId, { userId }, 5)
    await service.processAll()
    expect((await decide(heldId, 'post')).status).toBe(404)
    const second = await hold(other)
    const logger = { warn: () => undefined } as never
    const inHours = (hours: number) => () => Date.now() + hours * HOUR_MS
    await new Retention({ db: harness.db, logger, days: 0, now: inHours(23) }).run()
    expect(await held()).toMatchObject([{ heldId: second.heldId }])
    await new Retention({ db: harness.db, logger, days: 0, now: inHours(25) }).run()
    expect(await held()).toEqual([])
    await hold(other)
    await harness.publish('stream.channel.deleted.v1', channel, { channelId: channel })
    await service.processAll()
    expect(await held()).toEqual([])
  })
})

describe('a new account', () => {
  it.each([
    ['for a day', () => new Date(Date.now() - 25 * HOUR_MS)],
    ['unless it is from before the chat kept the time', () => null],
  ])('has its messages with links held %s', async (_until, registeredAt) => {
    const author = await newcomer()
    expect((await hold(author, LINK)).status).toBe(202)
    expect(await held()).toMatchObject([{ message: LINK, reason: 'link' }])
    await setRegistered(author, registeredAt())
    await harness.db.deleteFrom('chatters').execute()
    expect((await author.post(channel, LINK)).status).toBe(201)
  })

  it('that the chat has not heard of counts as registered just now', async () => {
    expect((await hold(await newClient(strict), LINK)).status).toBe(202)
  })

  it('waits longer between two messages until ten have stood', async () => {
    const author = await newcomer()
    expect((await author.post(channel, 'hello')).status).toBe(201)
    const again = await author.post(channel, 'again')
    expect(again.body).toMatchObject({ code: 'rate_limited' })
    expect(again.body.retryAfterMs).toBeGreaterThan(50_000)
    expect(await permissionsOf(author)).toMatchObject({ newAccountSlowModeS: 60 })
    const stood = (ageMs: number, isDeleted: boolean, seq: number) => ({
      ...{ id: newId(Date.now() - ageMs), channelId: channel, seq, userId: author.person!.id },
      ...{ clientId: randomUUID(), message: 'x', createdAt: new Date(Date.now() - ageMs), isDeleted },
    })
    const rows = Array.from({ length: 9 }, (_, i) => stood(HOUR_MS, false, 100 + i))
    const young = Array.from({ length: 9 }, (_, i) => stood(0, false, 200 + i))
    await harness.db
      .insertInto('liveChatMessages')
      .values([...rows, ...young, stood(HOUR_MS, true, 300)])
      .execute()
    expect((await permissionsOf(author)).newAccountSlowModeS).toBe(60)
    await harness.db
      .insertInto('liveChatMessages')
      .values(stood(HOUR_MS, false, 301))
      .execute()
    expect(await permissionsOf(author)).toMatchObject({ newAccountSlowModeS: 0, waitMs: 0 })
    // A replica repeats a refusal for two seconds.
    const elsewhere = new ChatClient((await harness.serve({ newAccounts: strictRules })).url, author.person)
    expect((await elsewhere.post(channel, 'established')).status).toBe(201)
    await harness.db.deleteFrom('liveChatMessages').where('channelId', '=', channel).execute()
    expect((await permissionsOf(author)).newAccountSlowModeS).toBe(0)
  })

  it('that moderates waits for nothing', async () => {
    const staff = new ChatClient(strict.url, moderator.person)
    for (const text of [LINK, WORD, 'hello']) expect((await staff.post(channel, text)).status).toBe(201)
  })
})
