import { randomUUID } from 'node:crypto'
import type { MessageExportPage } from '@looptide/contracts/http/exports'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import type { TestUser } from '@looptide/testkit/identity'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MessageWriter } from '../src/features/messages/message-writer.ts'
import { rateLimit } from '../src/features/messages/rate-limit.ts'
import { WordListService } from '../src/features/words/word-list-service.ts'
import { ChatClient, type ChatHarness, postedMessages, startChatHarness } from './_harness.ts'

let harness: ChatHarness
let service: RunningService
let ann: ChatClient
let moderator: ChatClient
let visitor: ChatClient
let annAccount: TestUser
let channel: string
let channelCount = 0

beforeAll(async () => {
  harness = await startChatHarness()
  annAccount = await harness.identity.createUser()
  const moderatorAccount = await harness.identity.createUser('moderator')
  service = await harness.serve({ rateLimitFactor: 1000 })
  ann = new ChatClient(service.url, annAccount)
  moderator = new ChatClient(service.url, moderatorAccount)
  visitor = new ChatClient(service.url, null)
  await harness.publish('auth.user.registered.v1', annAccount.id, {
    userId: annAccount.id,
    profile: { userId: annAccount.id, handle: 'ann', artistName: 'Ann & Co', avatarUrl: null },
  })
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
  await service.processAll()
})

describe('posting', () => {
  it('stores the trimmed message with its author and the next sequence number', async () => {
    const first = await ann.post(channel, '  hello\nthere  ')
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({
      channelId: channel,
      seq: 1,
      userId: annAccount.id,
      author: { handle: 'ann', artistName: 'Ann & Co', role: 'user' },
      message: 'hello\nthere',
    })
    expect((await moderator.post(channel, 'second')).body.seq).toBe(2)
  })

  it('returns the first message when a client id is repeated, also concurrently', async () => {
    const clientId = randomUUID()
    const answers = await Promise.all(Array.from({ length: 10 }, () => ann.post(channel, 'once', clientId)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect((await ann.post(channel, 'other words', clientId)).body).toEqual(answers[0]!.body)
    expect((await visitor.read(channel)).items).toHaveLength(1)
    const other = await moderator.post(channel, 'mine', clientId)
    expect(other.status).toBe(201)
  })

  it('publishes the messages in the order of their sequence numbers', async () => {
    await Promise.all(Array.from({ length: 250 }, (_, i) => ann.post(channel, `m${i}`)))
    await service.processAll()
    const published = (await contentsOf(harness.nats, 'CHAT')).filter(
      (event) => event.aggregateId === channel,
    )
    const messages = postedMessages(published)
    expect(messages.map((message) => message.seq)).toEqual(Array.from({ length: 250 }, (_, i) => i + 1))
    expect(published[0]).toMatchObject({ type: 'chat.message.posted.v1', actorId: annAccount.id })
  })

  it('publishes up to fifty messages that were stored together in one event, also the longest', async () => {
    const writer = new MessageWriter(
      harness.db,
      { limit: rateLimit(1000), newAccounts: { linksFromAgeMs: 0, slowModeS: 0 } },
      new WordListService(harness.db, createLogger('test', 'silent')),
    )
    const draft = {
      channelId: channel,
      userId: annAccount.id,
      message: '"'.repeat(500),
      role: 'user' as const,
    }
    const cause = { actorId: annAccount.id }
    // The first is stored alone. The others arrive meanwhile.
    await Promise.all(
      Array.from({ length: 101 }, () => writer.post({ ...draft, clientId: randomUUID(), cause })),
    )
    await service.processAll()
    const published = (await contentsOf(harness.nats, 'CHAT')).filter(
      (event) => event.aggregateId === channel,
    )
    expect(published.map(({ type, actorId }) => [type, actorId])).toEqual([
      ['chat.message.posted.v1', annAccount.id],
      ['chat.messages.posted.v1', null],
      ['chat.messages.posted.v1', null],
    ])
    expect(published.map((event) => postedMessages([event]).map(({ seq }) => seq))).toEqual([
      [1],
      Array.from({ length: 50 }, (_, i) => i + 2),
      Array.from({ length: 50 }, (_, i) => i + 52),
    ])
  })

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['only control characters', '\u0001\u0007'],
    ['only invisible characters', '\u3164\u200b\u202e'],
    ['501 characters', 'x'.repeat(501)],
  ])('refuses %s', async (_what, text) => {
    const answer = await ann.post(channel, text)
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    expect((await visitor.read(channel)).lastSeq).toBe(0)
  })

  it('accepts 500 characters, emoji and quotes, and removes control and direction characters', async () => {
    for (const text of [
      'x'.repeat(500),
      '🎸'.repeat(500),
      `'; drop table "x"; --`,
      'a\u0007b\r\nc',
      '\u202egpj.exe\u202c e\u0301\u200b 👩‍🎤\n\n\n\nb',
    ]) {
      expect((await ann.post(channel, text)).status).toBe(201)
    }
    const { items } = await visitor.read(channel)
    expect(items.map((item) => item.message).slice(2)).toEqual([
      `'; drop table "x"; --`,
      'ab\nc',
      'gpj.exe é 👩‍🎤\n\nb',
    ])
    await service.processAll()
    expect((await harness.db.selectFrom('outbox').selectAll().execute()).length).toBe(0)
  })

  it('refuses lone surrogates and NUL', async () => {
    for (const text of ['half \ud83c', 'nul \0']) expect((await ann.post(channel, text)).status).toBe(400)
    expect((await visitor.read(channel)).lastSeq).toBe(0)
  })

  it('refuses unknown fields, invalid ids and bodies of another type', async () => {
    const path = `/api/chat/channels/${channel}/messages`
    for (const body of [
      { clientId: randomUUID(), message: 'x', seq: 7 },
      { clientId: 'x', message: 'x' },
      { message: 'x' },
      { clientId: randomUUID(), message: 7 },
      [],
      null,
    ]) {
      expect((await ann.request<{ code: string }>('POST', path, body)).status).toBe(400)
    }
  })

  it('needs a signed-in user', async () => {
    const answer = await visitor.post(channel, 'hello')
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized'])
  })

  it('refuses unknown and deleted channels', async () => {
    expect((await ann.post('nowhere', 'hello')).status).toBe(404)
    expect((await visitor.request('GET', '/api/chat/channels/nowhere/messages')).status).toBe(404)
    await harness.publish('stream.channel.deleted.v1', channel, { channelId: channel })
    await service.processAll()
    expect((await ann.post(channel, 'hello')).status).toBe(404)
    await harness.publish('stream.channel.created.v1', channel, {
      channelId: channel,
      name: 'C',
      isActive: true,
    })
    await service.processAll()
    expect((await ann.post(channel, 'hello again')).body.seq).toBe(1)
  })
})

describe('reading', () => {
  it('returns the newest fifty messages, oldest first, without a sign-in', async () => {
    for (let i = 1; i <= 60; i += 1) await ann.post(channel, `m${i}`)
    const page = await visitor.read(channel)
    expect(page.items.map((item) => item.seq)).toEqual(Array.from({ length: 50 }, (_, i) => i + 11))
    expect(page.lastSeq).toBe(60)
    const older = await visitor.read(channel, '?before=11&limit=5')
    expect(older.items.map((item) => item.seq)).toEqual([6, 7, 8, 9, 10])
    const newer = await visitor.read(channel, '?after=57')
    expect(newer.items.map((item) => item.seq)).toEqual([58, 59, 60])
    expect((await visitor.read(channel, '?after=9999999999999999')).items).toEqual([])
  })

  it.each(['?after=x', '?after=-1', '?limit=0', '?limit=101', '?before=0', '?since=1'])(
    'refuses %s',
    async (query) => {
      const answer = await visitor.request<{ code: string }>(
        'GET',
        `/api/chat/channels/${channel}/messages${query}`,
      )
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    },
  )

  it('returns the role of each author, and `user` for programmers', async () => {
    await ann.post(channel, 'hello')
    expect((await moderator.post(channel, 'good evening')).body.author.role).toBe('moderator')
    // The role of a programmer is not shown to viewers.
    const programmer = new ChatClient(service.url, await harness.identity.createUser('programmer'))
    expect((await programmer.post(channel, 'hi')).body.author.role).toBe('user')
    const { items } = await visitor.read(channel)
    expect(items.map((item) => item.author.role)).toEqual(['user', 'moderator', 'user'])
    await service.processAll()
    const published = (await contentsOf(harness.nats, 'CHAT')).filter(
      (event) => event.aggregateId === channel,
    )
    expect(published.map((event) => event.data)).toMatchObject([
      { message: { author: { role: 'user' } } },
      { message: { author: { role: 'moderator' } } },
      { message: { author: { role: 'user' } } },
    ])
  })

  it('returns the current name of an author with old messages', async () => {
    await ann.post(channel, 'hello')
    await harness.publish('auth.profile.updated.v1', annAccount.id, {
      userId: annAccount.id,
      profile: { userId: annAccount.id, handle: 'anna', artistName: null, avatarUrl: null },
    })
    await service.processAll()
    expect((await visitor.read(channel)).items[0]!.author).toEqual({
      handle: 'anna',
      artistName: null,
      role: 'user',
    })
  })
})

describe('a data export', () => {
  it('is refused when the second factor was verified more than ten minutes ago', async () => {
    const outdated = await harness.identity.createUser('user', { id: annAccount.id, factorAgeS: 601 })
    const client = new ChatClient(service.url, outdated)
    const refused = await client.request<{ code: string }>('GET', '/api/export/messages')
    expect([refused.status, refused.body.code]).toEqual([403, 'second_factor_outdated'])
  })

  it('has all messages of its caller, also removed ones, in pages of a thousand', async () => {
    const removed = (await ann.post(channel, 'rude')).body
    await moderator.remove(channel, removed.id)
    await moderator.post(channel, 'not hers')
    await sql`insert into live_chat_messages (id, channel_id, seq, user_id, client_id, message, created_at)
      select gen_random_uuid(), ${channel}, 1000 + n, ${annAccount.id}, gen_random_uuid(), 'message ' || n, now()
      from generate_series(1, 10000) n`.execute(harness.db)
    const items: MessageExportPage['items'] = []
    let cursor: string | null = null
    let pages = 0
    do {
      const query: string = cursor === null ? '' : `?cursor=${cursor}`
      const { body } = await ann.request<MessageExportPage>('GET', `/api/export/messages${query}`)
      items.push(...body.items)
      cursor = body.nextCursor
      pages += 1
    } while (cursor !== null)
    expect(pages).toBe(11)
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
    const here = items.filter(({ channelId }) => channelId === channel)
    expect(here).toHaveLength(10_001)
    expect(here.find(({ id }) => id === removed.id)).toMatchObject({ message: 'rude' })
    expect(here.find(({ id }) => id === removed.id)?.removedAt).not.toBeNull()
    expect((await visitor.request('GET', '/api/export/messages')).status).toBe(401)
  })
})

describe('removal', () => {
  it('hides the message, publishes an event and writes an audit entry', async () => {
    const { body: message } = await ann.post(channel, 'rude')
    await ann.post(channel, 'kind')
    expect((await moderator.remove(channel, message.id)).status).toBe(204)
    expect((await moderator.remove(channel, message.id)).status).toBe(204)
    const page = await visitor.read(channel)
    expect(page.items.map((item) => item.message)).toEqual(['kind'])
    expect(page).toMatchObject({ lastSeq: 2, removedIds: [message.id] })
    await service.processAll()
    const published = await contentsOf(harness.nats, 'CHAT')
    const removed = published.filter(
      ({ type, aggregateId }) => type === 'chat.message.removed.v1' && aggregateId === channel,
    )
    expect(removed.map((event) => event.data)).toEqual([
      { channelId: channel, messageId: message.id, seq: 1 },
    ])
    const entries = (await contentsOf(harness.nats, 'AUDIT')).filter(
      ({ data }) => (data as { targetId: string }).targetId === message.id,
    )
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      actorId: moderator.person!.id,
      data: {
        action: 'chat_message.remove',
        targetId: message.id,
        targetUserId: annAccount.id,
        before: { message: 'rude' },
      },
    })
  })

  it('is for moderators, and for existing messages of the channel', async () => {
    const { body: message } = await ann.post(channel, 'mine')
    expect((await visitor.remove(channel, message.id)).status).toBe(401)
    expect((await ann.remove(channel, message.id)).status).toBe(403)
    expect((await moderator.remove(channel, randomUUID())).status).toBe(404)
    expect((await moderator.remove('channel-1', message.id)).status).toBe(404)
    expect((await moderator.remove(channel, 'x')).status).toBe(400)
    expect((await visitor.read(channel)).items).toHaveLength(1)
  })
})

it('reads and counts the messages of a time, without removed ones, by pages', async () => {
  const posted: string[] = []
  for (const text of ['before', 'first', 'removed', 'second', 'after']) {
    posted.push((await ann.post(channel, text)).body.id)
  }
  const startMs = Date.parse('2026-11-28T20:00:00Z')
  for (const [index, id] of posted.entries()) {
    const createdAt = new Date(startMs + index * 1000)
    await harness.db.updateTable('liveChatMessages').set({ createdAt }).where('id', '=', id).execute()
  }
  await moderator.request('DELETE', `/api/chat/channels/${channel}/messages/${posted[2]}`)
  const range = `fromMs=${startMs + 1000}&toMs=${startMs + 4000}`
  const textsOf = async (query: string) =>
    (await visitor.read(channel, `?${query}`)).items.map(({ message }) => message)
  expect(await textsOf(range)).toEqual(['first', 'second'])
  expect(await textsOf(`${range}&limit=1`)).toEqual(['first'])
  const [first] = (await visitor.read(channel, `?${range}&limit=1`)).items
  expect(await textsOf(`${range}&after=${first?.seq}`)).toEqual(['second'])
  expect(await textsOf(`fromMs=${startMs + 9000}&toMs=${startMs + 10_000}`)).toEqual([])

  const answer = await fetch(`${service.url}/internal/chat/message-counts`, {
    method: 'POST',
    headers: { 'x-internal-token': harness.identity.internalToken, 'content-type': 'application/json' },
    body: JSON.stringify({
      ranges: [
        { channelId: channel, fromMs: startMs + 1000, toMs: startMs + 4000 },
        { channelId: 'nowhere', fromMs: 0, toMs: startMs },
        { channelId: channel, fromMs: startMs, toMs: startMs + 1000 },
      ],
    }),
  })
  expect(await answer.json()).toEqual({ counts: [2, 0, 1] })
})

it('refuses times that no calendar has', async () => {
  const { status } = await visitor.request(
    'GET',
    `/api/chat/channels/${channel}/messages?fromMs=9000000000000000`,
  )
  expect(status).toBe(400)
})
