import { randomUUID } from 'node:crypto'
import type { EventData } from '@looptide/contracts/events'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import type { TestUser } from '@looptide/testkit/identity'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChatClient, type ChatHarness, postedMessages, startChatHarness } from './_harness.ts'

const channelId = 'polled'
let harness: ChatHarness
let service: RunningService
let moderator: TestUser

beforeAll(async () => {
  harness = await startChatHarness()
  moderator = await harness.identity.createUser('moderator')
  service = await harness.serve()
  const profile = { userId: moderator.id, handle: 'mo', artistName: null, avatarUrl: null }
  await harness.publish('auth.user.registered.v1', moderator.id, { userId: moderator.id, profile })
  await harness.publish('stream.channel.created.v1', channelId, { channelId, name: 'C', isActive: true })
  await service.processAll()
})
afterAll(() => harness.stop())

const closed = (channel = channelId): EventData<'audience.poll.closed.v1'> => ({
  askedBy: moderator.id,
  poll: {
    ...{ id: randomUUID(), channelId: channel, airingId: 'polled.1.7', question: 'Jazz or soul?' },
    answers: [
      { text: 'Jazz', votes: 3 },
      { text: 'Soul', votes: 1 },
    ],
    ...{ votes: 4, state: 'closed', version: 5 },
    askedAt: '2026-11-28T20:00:00.000Z',
    ...{ closesAt: '2026-11-28T20:01:00.000Z', closedAt: '2026-11-28T20:01:00.000Z' },
  },
})

it('the result of a poll is a message of who has asked, for pages that load it and for those that are open', async () => {
  const visitor = new ChatClient(service.url, null)
  const data = closed()
  await new ChatClient(service.url, moderator).post(channelId, 'Vote!')
  await harness.publish('audience.poll.closed.v1', channelId, data)
  await service.processAll()
  const { items, lastSeq } = await visitor.read(channelId)
  const { id, airingId, question, answers, votes, askedAt } = data.poll
  expect(items).toHaveLength(2)
  expect(items[1]).toMatchObject({
    ...{ seq: 2, userId: moderator.id, message: 'Jazz or soul? Jazz: 3, Soul: 1' },
    author: { handle: 'mo', artistName: null, role: 'moderator' },
    poll: { id, airingId, question, answers, votes, askedAt },
  })
  expect(lastSeq).toBe(2)
  expect(items[0]).not.toHaveProperty('poll')
  expect(postedMessages(await contentsOf(harness.nats, 'CHAT')).at(-1)).toEqual(items[1])
  expect((await new ChatClient(service.url, moderator).post(channelId, 'Jazz it is')).body.seq).toBe(3)
})

it('the result of a poll of a channel that was deleted meanwhile is dropped', async () => {
  await harness.publish('stream.channel.created.v1', 'gone', { channelId: 'gone', name: 'G', isActive: true })
  await harness.publish('stream.channel.deleted.v1', 'gone', { channelId: 'gone' })
  // Streams are consumed independently of each other.
  await service.processAll()
  await harness.publish('audience.poll.closed.v1', 'gone', closed('gone'))
  await service.processAll()
  const stored = await harness.db
    .selectFrom('liveChatMessages')
    .select('id')
    .where('channelId', '=', 'gone')
    .execute()
  expect(stored).toEqual([])
  expect(await harness.db.selectFrom('deadLetters').select('id').execute()).toEqual([])
})

it('the result of a poll waits for the channel, whose creation may come later', async () => {
  await harness.publish('audience.poll.closed.v1', 'late', closed('late'))
  await until('the result was tried', async () =>
    /looptide_events_consumed_total\{[^}]*result="retry"[^}]*\} [1-9]/.test(
      await (await fetch(`${service.url}/metrics`)).text(),
    ),
  )
  await harness.publish('stream.channel.created.v1', 'late', { channelId: 'late', name: 'L', isActive: true })
  await service.processAll()
  expect((await new ChatClient(service.url, null).read('late')).items).toMatchObject([
    { seq: 1, userId: moderator.id },
  ])
})
