import { randomUUID } from 'node:crypto'
import type { RunningService } from '@looptide/service-kit/run-service'
import type { TestUser } from '@looptide/testkit/identity'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatStage, Client, setStage } from './fixtures.ts'

let stage: ChatStage
let service: RunningService
let ann: Client
let moderator: Client
let visitor: Client
let annPerson: TestUser
let channel: string
let made = 0

beforeAll(async () => {
  stage = await setStage()
  annPerson = await stage.identity.createUser()
  const moderatorPerson = await stage.identity.createUser('moderator')
  service = await stage.serve({ rateLimitFactor: 1000 })
  ann = new Client(service.url, annPerson)
  moderator = new Client(service.url, moderatorPerson)
  visitor = new Client(service.url, null)
  await stage.tell('auth.user.registered.v1', annPerson.id, {
    userId: annPerson.id,
    profile: { userId: annPerson.id, handle: 'ann', artistName: 'Ann & Co', avatarUrl: null },
  })
})
afterAll(() => stage.stop())
beforeEach(async () => {
  made += 1
  channel = `channel-${made}`
  await stage.tell('stream.channel.created.v1', channel, { channelId: channel, name: 'C', isActive: true })
  await service.processAll()
})

describe('writing', () => {
  it('stores the message trimmed, with its author and the next number', async () => {
    const first = await ann.say(channel, '  hello\nthere  ')
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({
      channelId: channel,
      seq: 1,
      userId: annPerson.id,
      author: { handle: 'ann', artistName: 'Ann & Co', role: 'user' },
      message: 'hello\nthere',
    })
    expect((await moderator.say(channel, 'second')).body.seq).toBe(2)
  })

  it('answers the first message when the same client id comes again, also all at once', async () => {
    const clientId = randomUUID()
    const answers = await Promise.all(Array.from({ length: 10 }, () => ann.say(channel, 'once', clientId)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect((await ann.say(channel, 'other words', clientId)).body).toEqual(answers[0]!.body)
    expect((await visitor.read(channel)).items).toHaveLength(1)
    const other = await moderator.say(channel, 'mine', clientId)
    expect(other.status).toBe(201)
  })

  it('tells of each message in the order of the numbers', async () => {
    await Promise.all(Array.from({ length: 250 }, (_, i) => ann.say(channel, `m${i}`)))
    await service.processAll()
    const told = (await contentsOf(stage.nats, 'CHAT')).filter((event) => event.aggregateId === channel)
    const messages = told.map((event) => (event.data as { message: { seq: number } }).message)
    expect(messages.map((message) => message.seq)).toEqual(Array.from({ length: 250 }, (_, i) => i + 1))
    expect(told[0]).toMatchObject({ type: 'chat.message.posted.v1', actorId: annPerson.id })
  })

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['only control characters', '\u0001\u0007'],
    ['501 characters', 'x'.repeat(501)],
  ])('refuses %s', async (_what, text) => {
    const answer = await ann.say(channel, text)
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    expect((await visitor.read(channel)).lastSeq).toBe(0)
  })

  it('takes what people write: 500 characters, emoji, quotes, without what nobody types', async () => {
    for (const text of ['x'.repeat(500), '🎸'.repeat(500), `'; drop table "x"; --`, 'a\u0007b\r\nc']) {
      expect((await ann.say(channel, text)).status).toBe(201)
    }
    const { items } = await visitor.read(channel)
    expect(items.map((item) => item.message).slice(2)).toEqual([`'; drop table "x"; --`, 'ab\nc'])
    await service.processAll()
    expect((await stage.db.selectFrom('outbox').selectAll().execute()).length).toBe(0)
  })

  it('refuses what no text can hold', async () => {
    for (const text of ['half \ud83c', 'nul \0']) expect((await ann.say(channel, text)).status).toBe(400)
    expect((await visitor.read(channel)).lastSeq).toBe(0)
  })

  it('refuses unknown fields, other ids and other forms', async () => {
    const path = `/api/chat/channels/${channel}/messages`
    for (const body of [
      { clientId: randomUUID(), message: 'x', seq: 7 },
      { clientId: 'x', message: 'x' },
      { message: 'x' },
      { clientId: randomUUID(), message: 7 },
      [],
      null,
    ]) {
      expect((await ann.ask<{ code: string }>('POST', path, body)).status).toBe(400)
    }
  })

  it('needs a signed-in person', async () => {
    const answer = await visitor.say(channel, 'hello')
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized'])
  })

  it('does not invent channels', async () => {
    expect((await ann.say('nowhere', 'hello')).status).toBe(404)
    expect((await visitor.ask('GET', '/api/chat/channels/nowhere/messages')).status).toBe(404)
    await stage.tell('stream.channel.deleted.v1', channel, { channelId: channel })
    await service.processAll()
    expect((await ann.say(channel, 'hello')).status).toBe(404)
    await stage.tell('stream.channel.created.v1', channel, { channelId: channel, name: 'C', isActive: true })
    await service.processAll()
    expect((await ann.say(channel, 'hello again')).body.seq).toBe(1)
  })
})

describe('reading', () => {
  it('answers the newest fifty, oldest first, to anybody', async () => {
    for (let i = 1; i <= 60; i += 1) await ann.say(channel, `m${i}`)
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
      const answer = await visitor.ask<{ code: string }>(
        'GET',
        `/api/chat/channels/${channel}/messages${query}`,
      )
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    },
  )

  it('says who of the authors is a moderator or an admin', async () => {
    await ann.say(channel, 'hello')
    expect((await moderator.say(channel, 'good evening')).body.author.role).toBe('moderator')
    const { items } = await visitor.read(channel)
    expect(items.map((item) => item.author.role)).toEqual(['user', 'moderator'])
    await service.processAll()
    const told = (await contentsOf(stage.nats, 'CHAT')).filter((event) => event.aggregateId === channel)
    expect(told.map((event) => event.data)).toMatchObject([
      { message: { author: { role: 'user' } } },
      { message: { author: { role: 'moderator' } } },
    ])
  })

  it('shows a new name on old messages', async () => {
    await ann.say(channel, 'hello')
    await stage.tell('auth.profile.updated.v1', annPerson.id, {
      userId: annPerson.id,
      profile: { userId: annPerson.id, handle: 'anna', artistName: null, avatarUrl: null },
    })
    await service.processAll()
    expect((await visitor.read(channel)).items[0]!.author).toEqual({
      handle: 'anna',
      artistName: null,
      role: 'user',
    })
  })
})

describe('taking down', () => {
  it('hides the message, tells of it, and leaves a line in the audit log', async () => {
    const { body: message } = await ann.say(channel, 'rude')
    await ann.say(channel, 'kind')
    expect((await moderator.remove(channel, message.id)).status).toBe(204)
    expect((await moderator.remove(channel, message.id)).status).toBe(204)
    const page = await visitor.read(channel)
    expect(page.items.map((item) => item.message)).toEqual(['kind'])
    expect(page).toMatchObject({ lastSeq: 2, removedIds: [message.id] })
    await service.processAll()
    const told = await contentsOf(stage.nats, 'CHAT')
    const removed = told.filter((event) => event.type === 'chat.message.removed.v1')
    expect(removed.map((event) => event.data)).toEqual([
      { channelId: channel, messageId: message.id, seq: 1 },
    ])
    const [audit, ...more] = await contentsOf(stage.nats, 'AUDIT')
    expect(more).toEqual([])
    expect(audit).toMatchObject({
      actorId: moderator.person!.id,
      data: {
        action: 'chat_message.remove',
        targetId: message.id,
        targetUserId: annPerson.id,
        before: { message: 'rude' },
      },
    })
  })

  it('is for moderators, of messages that are there', async () => {
    const { body: message } = await ann.say(channel, 'mine')
    expect((await visitor.remove(channel, message.id)).status).toBe(401)
    expect((await ann.remove(channel, message.id)).status).toBe(403)
    expect((await moderator.remove(channel, randomUUID())).status).toBe(404)
    expect((await moderator.remove('channel-1', message.id)).status).toBe(404)
    expect((await moderator.remove(channel, 'x')).status).toBe(400)
    expect((await visitor.read(channel)).items).toHaveLength(1)
  })
})
