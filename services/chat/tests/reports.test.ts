import { randomUUID } from 'node:crypto'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { clientOf } from '@looptide/testkit/client'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Retention } from '../src/features/messages/retention.ts'
import { ChatClient, type ChatHarness, startChatHarness } from './_harness.ts'

let harness: ChatHarness
let service: RunningService
let moderator: ChatClient
let colleague: ChatClient
let admin: ChatClient
const channel = 'c'

beforeAll(async () => {
  harness = await startChatHarness()
  const account = await harness.identity.createUser('moderator')
  const others = [
    await harness.identity.createUser('moderator'),
    await harness.identity.createUser('admin'),
  ] as const
  service = await harness.serve({ rateLimitFactor: 1000 })
  moderator = new ChatClient(service.url, account)
  colleague = new ChatClient(service.url, others[0])
  admin = new ChatClient(service.url, others[1])
  await harness.publish('stream.channel.created.v1', channel, {
    channelId: channel,
    name: 'C',
    isActive: true,
  })
  await service.processAll()
})
afterAll(() => harness.stop())

const newClient = async () => new ChatClient(service.url, await harness.identity.createUser())
const api = (client: ChatClient) => clientOf(service.url, client.person!.token)
const report = (client: ChatClient, messageId: string, body: object = { reason: 'abuse' }) =>
  client.request<{ id: string; code?: string; isHandled: boolean; retryAfterMs?: number }>(
    'POST',
    `/api/chat/channels/${channel}/messages/${messageId}/report`,
    body,
  )
const decide = (id: string, body: object, by = moderator) =>
  by.request<{ code?: string; decision: string; decidedAt: string; unreversed: string[] }>(
    'POST',
    `/api/chat/cases/${id}/decision`,
    body,
  )
const appeal = (client: ChatClient, id: string) =>
  client.request<{ code?: string }>('POST', `/api/chat/decisions/${id}/appeal`, { text: 'It was a quote.' })

/** A message of a new author that a new viewer has reported. */
async function reported(text = 'you idiot') {
  const [author, reporter] = [await newClient(), await newClient()]
  const { body: message } = await author.post(channel, text)
  const { body } = await report(reporter, message.id, { reason: 'abuse', text: 'Please look.' })
  return { author, reporter, message, caseId: body.id }
}

/** A case whose message was removed and its author timed out, and who has appealed. */
async function appealed(text?: string) {
  const found = await reported(text)
  await decide(found.caseId, { decision: 'restrict' })
  await appeal(found.author, found.caseId)
  return found
}
/** The audit entries about a message. */
const auditsOf = async (messageId: string) => {
  await service.processAll()
  const entries = (await contentsOf(harness.nats, 'AUDIT')).filter(
    ({ aggregateId }) => aggregateId === messageId,
  )
  return entries.map(({ data }) => data as { action: string; after: object })
}
const isShown = async (client: ChatClient, messageId: string) =>
  (await client.read(channel)).items.some(({ id }) => id === messageId)

const eventsOf = async (caseId: string) => {
  await service.processAll()
  return (await contentsOf(harness.nats, 'CHAT')).filter(({ aggregateId }) => aggregateId === caseId)
}

describe('a report', () => {
  it('counts once per account and message, and several accounts make one case', async () => {
    const { reporter, message, caseId } = await reported()
    const again = await report(reporter, message.id, { reason: 'spam' })
    expect([again.status, again.body.id]).toEqual([200, caseId])
    const others = await Promise.all([newClient(), newClient(), newClient()])
    const answers = await Promise.all(others.map((other) => report(other, message.id)))
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(others.map(() => [201, caseId]))
    const found = await api(moderator).call('GET /api/chat/cases/:id', { params: { id: caseId } })
    expect(found.reportCount).toBe(4)
    expect(found.reports[0]).toMatchObject({ reason: 'abuse', text: 'Please look.' })
    expect((await eventsOf(caseId)).map(({ type }) => type)).toEqual(Array(4).fill('chat.case.changed.v1'))
  })

  it('is refused for the own, a removed and an unknown message, without an account, and for an unknown reason', async () => {
    const { author, reporter, message } = await reported()
    expect((await report(author, message.id)).status).toBe(403)
    expect((await report(reporter, randomUUID())).status).toBe(404)
    expect((await report(new ChatClient(service.url, null), message.id)).status).toBe(401)
    expect((await report(await newClient(), message.id, { reason: 'boring' })).status).toBe(400)
    await moderator.remove(channel, message.id)
    expect((await report(await newClient(), message.id)).status).toBe(404)
  })

  it('is limited per account and day, also at the same time', async () => {
    const [author, reporter] = [await newClient(), await newClient()]
    const messages = await Promise.all(Array.from({ length: 22 }, (_, i) => author.post(channel, `m${i}`)))
    const answers = await Promise.all(messages.map(({ body }) => report(reporter, body.id)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ body }) => body.code)).toEqual(['rate_limited', 'rate_limited'])
    expect(refused[0]!.body.retryAfterMs).toBeGreaterThan(80_000_000)
  })
})

describe('a case', () => {
  it('shows the surrounding messages, removed ones too, and the history of the author', async () => {
    const { author, message, caseId } = await reported('first offence')
    const { body: removed } = await author.post(channel, 'gone')
    await moderator.remove(channel, removed.id)
    await decide(caseId, { decision: 'remove' })
    const second = await author.post(channel, 'second offence')
    const { body: next } = await report(await newClient(), second.body.id)
    const found = await api(moderator).call('GET /api/chat/cases/:id', { params: { id: next.id } })
    expect(found.context.slice(-3).map(({ message, isRemoved }) => [message, isRemoved])).toEqual([
      ['first offence', true],
      ['gone', true],
      ['second offence', false],
    ])
    expect(found.earlier).toMatchObject([{ message: message.message, decision: 'remove' }])
    expect(found.context.length).toBeLessThanOrEqual(21)
  })

  it('is decided once: the message is removed, audited, and author and reporters are notified', async () => {
    const { author, reporter, message, caseId } = await reported()
    const answers = await Promise.all([
      decide(caseId, { decision: 'remove', reason: 'Be kind.' }),
      decide(caseId, { decision: 'none' }),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const { decision } = answers.find(({ status }) => status === 200)!.body
    expect(await isShown(author, message.id)).toBe(decision === 'none')
    const events = await eventsOf(caseId)
    expect(events.at(-1)).toMatchObject({
      type: 'chat.case.decided.v1',
      data: { decision, authorId: author.person!.id, reporterIds: [reporter.person!.id] },
    })
    expect((await auditsOf(message.id)).map(({ action }) => action)).toEqual(['chat_report.decide'])
    expect((await api(reporter).call('GET /api/chat/reports', {})).items).toMatchObject([
      { id: caseId, isHandled: true },
    ])
  })

  it('that is decided leaves the queue, and waits again after an appeal, of which there is one', async () => {
    const { author, reporter, caseId } = await reported()
    const waiting = async () => {
      const { items } = await api(moderator).call('GET /api/chat/cases', {})
      return items.some(({ id }) => id === caseId)
    }
    expect(await waiting()).toBe(true)
    expect((await appeal(author, caseId)).status).toBe(404)
    await decide(caseId, { decision: 'restrict' })
    expect(await waiting()).toBe(false)
    expect((await appeal(reporter, caseId)).status).toBe(404)
    expect((await appeal(author, caseId)).status).toBe(200)
    expect((await appeal(author, caseId)).body.code).toBe('conflict')
    expect(await waiting()).toBe(true)
    expect((await decide(caseId, { decision: 'none' })).status).toBe(409)
    expect((await decide(caseId, { decision: 'reverse', reason: 'You are right.' })).status).toBe(200)
    expect((await decide(caseId, { decision: 'uphold' })).status).toBe(409)
    expect((await appeal(author, caseId)).body.code).toBe('conflict')
    expect((await api(author).call('GET /api/chat/decisions', {})).items).toMatchObject([
      {
        decision: 'restrict',
        reason: 'You are right.',
        appeal: { text: 'It was a quote.', outcome: 'reverse' },
      },
    ])
  })

  it('is decided with a time-out of its author in one step, with one audit entry', async () => {
    const { author, message, caseId } = await reported()
    const { body } = await decide(caseId, { decision: 'restrict' })
    const timeOutUntil = new Date(Date.parse(body.decidedAt) + 86_400_000).toISOString()
    expect((await eventsOf(caseId)).at(-1)?.data).toMatchObject({ decision: 'restrict', timeOutUntil })
    expect(await auditsOf(message.id)).toMatchObject([
      { action: 'chat_report.decide', after: { decision: 'restrict', timeOutUntil } },
    ])
    expect(await isShown(author, message.id)).toBe(false)
  })

  it('is not decided at all when a part of the decision cannot be stored', async () => {
    const { author, message, caseId } = await reported()
    await sql`alter table outbox add constraint no_decisions check (type <> 'chat.case.decided.v1') not valid`.execute(
      harness.db,
    )
    expect((await decide(caseId, { decision: 'restrict' })).status).toBe(500)
    await sql`alter table outbox drop constraint no_decisions`.execute(harness.db)
    expect(await isShown(author, message.id)).toBe(true)
    expect((await eventsOf(caseId)).map(({ type }) => type)).toEqual(['chat.case.changed.v1'])
    expect(await auditsOf(message.id)).toEqual([])
    expect((await decide(caseId, { decision: 'restrict' })).status).toBe(200)
  })

  it('without consequences is not shown to the author', async () => {
    const { author, caseId } = await reported()
    await decide(caseId, { decision: 'none' })
    expect((await api(author).call('GET /api/chat/decisions', {})).items).toEqual([])
    expect((await appeal(author, caseId)).status).toBe(404)
  })

  it('keeps its text when the message is deleted, until the retention ends', async () => {
    const { message, caseId } = await reported('evidence')
    await harness.db.deleteFrom('liveChatMessages').where('id', '=', message.id).execute()
    const details = () => moderator.request<{ message: string }>('GET', `/api/chat/cases/${caseId}`)
    expect((await details()).body.message).toBe('evidence')
    expect((await decide(caseId, { decision: 'remove' })).status).toBe(200)
    const logger = { warn: () => undefined } as never
    const later = (days: number) => () => Date.now() + days * 86_400_000
    await new Retention({ db: harness.db, logger, days: 90, now: later(89) }).run()
    expect((await details()).status).toBe(200)
    await new Retention({ db: harness.db, logger, days: 90, now: later(91) }).run()
    expect((await details()).status).toBe(404)
  })
})

describe('a reversed decision', () => {
  it('shows the message again at its place, and is recorded once', async () => {
    const { author, reporter, message, caseId } = await appealed('a song')
    await author.post(channel, 'later')
    const { status, body } = await decide(caseId, { decision: 'reverse' }, colleague)
    expect([status, body.unreversed]).toEqual([200, []])
    const page = await reporter.read(channel)
    expect(page.items.find(({ id }) => id === message.id)).toMatchObject({
      seq: message.seq,
      message: 'a song',
    })
    expect(page.removedIds).not.toContain(message.id)
    await service.processAll()
    const restored = (await contentsOf(harness.nats, 'CHAT')).filter(
      ({ type }) => type === 'chat.message.restored.v1',
    )
    expect(restored.at(-1)?.data).toMatchObject({ message: { id: message.id, seq: message.seq } })
    expect((await eventsOf(caseId)).at(-1)).toMatchObject({
      actorId: colleague.person!.id,
      data: { decision: 'reverse', authorId: author.person!.id },
    })
    expect((await auditsOf(message.id)).slice(1)).toMatchObject([
      { action: 'chat_appeal.decide', after: { decision: 'reverse', unreversed: [] } },
    ])
  })

  it('leaves the message that another moderator has removed, and another ban, and says so', async () => {
    const { author, message, caseId } = await reported()
    await colleague.remove(channel, message.id)
    await decide(caseId, { decision: 'restrict' })
    await harness.publish('auth.user.restricted.v1', author.person!.id, {
      ...{ userId: author.person!.id, restrictionId: randomUUID(), restrictionType: 'chat_banned' },
      ...{ reason: 'spam', expiresAt: null },
    })
    await service.processAll()
    await appeal(author, caseId)
    const { body } = await decide(caseId, { decision: 'reverse' })
    expect(body.unreversed).toEqual(['message_removed', 'ban'])
    expect(await isShown(author, message.id)).toBe(false)
    expect((await auditsOf(message.id)).at(-1)).toMatchObject({
      after: { unreversed: ['message_removed', 'ban'] },
    })
  })

  it('does not name its own time-out, and says that the message is deleted', async () => {
    const { author, message, caseId } = await appealed()
    await harness.publish('auth.user.restricted.v1', author.person!.id, {
      ...{ userId: author.person!.id, restrictionId: caseId, restrictionType: 'chat_banned' },
      ...{ reason: 'Timed out', expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
    })
    await service.processAll()
    await harness.db.deleteFrom('liveChatMessages').where('id', '=', message.id).execute()
    expect((await decide(caseId, { decision: 'reverse' })).body.unreversed).toEqual(['message_deleted'])
  })

  it('that is kept undoes nothing', async () => {
    const { author, message, caseId } = await appealed()
    expect((await decide(caseId, { decision: 'uphold' })).body.unreversed).toEqual([])
    expect(await isShown(author, message.id)).toBe(false)
  })
})

it('cases are listed by state: waiting ones oldest first, others newest first', async () => {
  const [first, second] = [await reported('one'), await reported('two')]
  await decide(first.caseId, { decision: 'none' })
  const list = async (state: 'waiting' | 'done' | 'all') => {
    const { items } = await api(moderator).call('GET /api/chat/cases', { query: { state } })
    return items.map(({ id }) => id).filter((id) => [first.caseId, second.caseId].includes(id))
  }
  expect(await Promise.all((['waiting', 'done', 'all'] as const).map(list))).toEqual([
    [second.caseId],
    [first.caseId],
    [second.caseId, first.caseId],
  ])
})

it('a deleted account takes its reports and the cases about it along', async () => {
  const { author, reporter, caseId } = await reported()
  const reportsOf = async (id: string) =>
    (await sql`select from message_reports where reporter_user_id = ${id}`.execute(harness.db)).rows.length
  expect(await reportsOf(reporter.person!.id)).toBe(1)
  await harness.publish('auth.user.deleted.v1', reporter.person!.id, { userId: reporter.person!.id }, 5)
  await service.processAll()
  expect(await reportsOf(reporter.person!.id)).toBe(0)
  expect((await decide(caseId, { decision: 'none' })).status).toBe(200)
  await harness.publish('auth.user.deleted.v1', author.person!.id, { userId: author.person!.id }, 5)
  await service.processAll()
  expect((await moderator.request('GET', `/api/chat/cases/${caseId}`)).status).toBe(404)
})

it('the export of an account has its reports, and decisions about its messages', async () => {
  const { author, reporter, caseId } = await reported('exported')
  await decide(caseId, { decision: 'remove' })
  expect((await api(reporter).call('GET /api/export/reports', {})).items).toMatchObject([
    { message: 'exported' },
  ])
  expect((await api(author).call('GET /api/export/decisions', {})).items).toMatchObject([{ id: caseId }])
})

it('a case about a moderator’s message is for others, who must be admins to time the author out', async () => {
  const { body: message } = await moderator.post(channel, 'as I say')
  const { body } = await report(await newClient(), message.id)
  const isListed = async (by: ChatClient) =>
    (await api(by).call('GET /api/chat/cases', {})).items.some(({ id }) => id === body.id)
  expect(await Promise.all([moderator, colleague].map(isListed))).toEqual([false, true])
  expect((await moderator.request('GET', `/api/chat/cases/${body.id}`)).status).toBe(404)
  expect((await decide(body.id, { decision: 'none' })).status).toBe(404)
  const read = (by: ChatClient) => api(by).call('GET /api/chat/cases/:id', { params: { id: body.id } })
  expect([(await read(colleague)).mayTimeOut, (await read(admin)).mayTimeOut]).toEqual([false, true])
  expect((await decide(body.id, { decision: 'restrict' }, colleague)).status).toBe(403)
  expect((await decide(body.id, { decision: 'remove' }, colleague)).status).toBe(200)
  expect((await appeal(moderator, body.id)).status).toBe(200)
  expect((await decide(body.id, { decision: 'reverse' })).status).toBe(404)
  expect((await decide(body.id, { decision: 'uphold' }, admin)).status).toBe(200)
})

it('a message of a deleted channel cannot be reported', async () => {
  const channelId = 'gone'
  await harness.publish('stream.channel.created.v1', channelId, { channelId, name: 'Gone', isActive: true })
  await service.processAll()
  const { body } = await (await newClient()).post(channelId, 'hello')
  await harness.publish('stream.channel.deleted.v1', channelId, { channelId })
  await service.processAll()
  const answer = await (await newClient()).request<{ code: string }>(
    'POST',
    `/api/chat/channels/${channelId}/messages/${body.id}/report`,
    { reason: 'abuse' },
  )
  expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
})

it('cases are for moderators', async () => {
  const viewer = await newClient()
  expect((await viewer.request('GET', '/api/chat/cases')).status).toBe(403)
  expect((await viewer.request('GET', `/api/chat/cases/${randomUUID()}`)).status).toBe(403)
  expect((await decide(randomUUID(), { decision: 'none' }, viewer)).status).toBe(403)
})
