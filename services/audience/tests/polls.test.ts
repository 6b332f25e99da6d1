import { randomUUID } from 'node:crypto'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { clientOf } from '@looptide/testkit/client'
import { eventsOf } from '@looptide/testkit/stream-contents'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { networkKeysOf } from '../src/features/networks/network-keys.ts'
import { saveNetwork } from '../src/features/networks/network-repository.ts'
import { publishPolls } from '../src/features/polls/poll-publisher.ts'
import {
  countAnswers,
  deletePollsBefore,
  deleteVotesInClosed,
} from '../src/features/polls/poll-repository.ts'
import { type AudienceHarness, allowed, refusalOf, startAudienceHarness, type Viewer } from './_harness.ts'

const logger = createLogger('test', 'silent')
const DAY_MS = 86_400_000
let harness: AudienceHarness
let moderator: Viewer
let viewer: Viewer
/** A channel of its own for each test. */
let channelId: string

beforeAll(async () => {
  harness = await startAudienceHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  channelId = `c${randomUUID()}`
  moderator = await harness.join({ role: 'moderator' })
  viewer = await harness.join()
})

const QUESTION = { question: 'Jazz or soul?', answers: ['Jazz', 'Soul'], durationS: 60 }
const params = (id: string) => ({ params: { id } })
const ask = (body = QUESTION, id = channelId) =>
  moderator.client.call('POST /api/channels/:id/polls', { ...params(id), body })
const vote = ({ client }: Viewer, id: string, answer: number) =>
  client.call('PUT /api/polls/:id/vote', { ...params(id), body: { answer } })
const refusedVote = async ({ client }: Viewer, id: string, answer = 0) =>
  refusalOf(await client.send('PUT /api/polls/:id/vote', { ...params(id), body: { answer } }))
const get = (id: string, { client } = viewer) => client.call('GET /api/polls/:id', params(id))
const list = async () =>
  (await clientOf(harness.url).call('GET /api/channels/:id/polls', { ...params(channelId), query: {} })).items
const publish = () => publishPolls({ db: harness.db, logger, now: () => harness.clock.nowMs })
const countsOf = async (id: string) => (await get(id)).answers.map(({ votes }) => votes)
/** The counts of a poll after the publisher has run. */
const counted = async (id: string) => {
  await publish()
  return countsOf(id)
}
/** What was published of a poll, in order. */
async function published(id: string) {
  await harness.service.processAll()
  const polls = [
    ...(await eventsOf(harness.nats, 'audience.poll.changed.v1')),
    ...(await eventsOf(harness.nats, 'audience.poll.closed.v1')),
  ].map(({ data }) => data.poll)
  return polls.filter((poll) => poll.id === id).toSorted((a, b) => a.version - b.version)
}

describe('a poll', () => {
  it('is open at once for everyone, and names the programme during which it was asked', async () => {
    harness.check = (_channel, videoId) => ({ ...allowed(videoId), airingId: 'default.1.7' })
    const poll = await ask()
    harness.check = (_channel, videoId) => allowed(videoId)
    expect(poll).toMatchObject({ channelId, airingId: 'default.1.7', votes: 0, state: 'open', version: 1 })
    expect(Date.parse(poll.closesAt) - Date.parse(poll.askedAt)).toBe(60_000)
    expect(await list()).toEqual([poll])
    expect(await published(poll.id)).toEqual([poll])
  })

  it('is the only open one of its channel, also if two are asked together', async () => {
    const body = { ...params(channelId), body: QUESTION }
    const answers = await Promise.all(
      [1, 2, 3].map(() => moderator.client.send('POST /api/channels/:id/polls', body)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    const refused = answers.find(({ status }) => status === 409) as Response
    expect(await refusalOf(refused)).toEqual({ status: 409, code: 'poll_open' })
    expect(await list()).toHaveLength(1)
    const elsewhere = await ask(QUESTION, `c${randomUUID()}`)
    expect(elsewhere.state).toBe('open')
  })

  it.each([
    ['one answer', { answers: ['Jazz'] }],
    ['seven answers', { answers: ['1', '2', '3', '4', '5', '6', '7'] }],
    ['two answers that look the same', { answers: ['Jazz', ' jazz\u200b'] }],
    ['an answer without a glyph', { answers: ['Jazz', '\u202e\u200b'] }],
    ['a question without a glyph', { question: '\u2800\u200b' }],
    ['a long question', { question: 'a'.repeat(121) }],
    ['a long answer', { answers: ['Jazz', 'a'.repeat(51)] }],
    ['a short time', { durationS: 9 }],
    ['a long time', { durationS: 3601 }],
  ])('with %s is refused and changes nothing', async (_what, fields) => {
    const body = { ...QUESTION, ...fields }
    const answer = await moderator.client.send('POST /api/channels/:id/polls', { ...params(channelId), body })
    expect(await refusalOf(answer)).toEqual({ status: 400, code: 'validation_failed' })
    expect(await list()).toEqual([])
  })

  it('has texts without control and direction characters, which are no markup', async () => {
    const poll = await ask({
      ...QUESTION,
      question: ' <b>Jazz\u202e or\n soul\u0007?</b> ',
      answers: ['**Jazz**', 'e\u0301te\u0301'],
    })
    expect(poll.question).toBe('<b>Jazz or  soul?</b>')
    expect(poll.answers.map(({ text }) => text)).toEqual(['**Jazz**', 'été'])
  })

  it('of an unknown channel does not exist', async () => {
    harness.check = () => null
    const answer = await moderator.client.send('POST /api/channels/:id/polls', {
      ...params(channelId),
      body: QUESTION,
    })
    harness.check = (_channel, videoId) => allowed(videoId)
    expect(await refusalOf(answer)).toEqual({ status: 404, code: 'not_found' })
  })
})

describe('a vote', () => {
  it('counts once for each account, and is changed by voting again', async () => {
    const { id } = await ask()
    expect((await vote(viewer, id, 0)).ownAnswer).toBe(0)
    await vote(viewer, id, 0)
    await vote(await harness.join(), id, 0)
    expect(await counted(id)).toEqual([2, 0])
    expect((await vote(viewer, id, 1)).ownAnswer).toBe(1)
    expect(await counted(id)).toEqual([1, 1])
    expect((await get(id)).ownAnswer).toBe(1)
    const asVisitor = await clientOf(harness.url).call('GET /api/polls/:id', params(id))
    expect(asVisitor).toMatchObject({ ownAnswer: null, votes: 2 })
  })

  it('counts once however many requests of an account arrive together', async () => {
    const { id } = await ask()
    const voters = await Promise.all([1, 2, 3, 4].map(() => harness.join()))
    await Promise.all(voters.flatMap((one) => [vote(one, id, 0), vote(one, id, 1), vote(one, id, 0)]))
    for (const one of voters) await vote(one, id, 1)
    expect(await counted(id)).toEqual([0, 4])
  })

  it('is refused to visitors, to restricted and banned accounts, and for what does not exist', async () => {
    const { id } = await ask()
    const visitor = clientOf(harness.url)
    const body = { ...params(id), body: { answer: 0 } }
    expect((await visitor.send('PUT /api/polls/:id/vote', body)).status).toBe(401)
    for (const restrictionType of ['restricted', 'chat_banned'] as const) {
      const one = await harness.join()
      const restriction = { userId: one.user.id, restrictionId: randomUUID(), restrictionType }
      await vote(one, id, 0)
      await harness.publish('auth.user.restricted.v1', one.user.id, {
        ...{ ...restriction, reason: 'x', expiresAt: null },
      })
      expect(await refusedVote(one, id, 1)).toEqual({ status: 403, code: 'user_restricted' })
      await harness.publish('auth.user.unrestricted.v1', one.user.id, restriction)
      expect((await vote(one, id, 1)).ownAnswer).toBe(1)
    }
    expect(await refusedVote(viewer, id, 2)).toEqual({ status: 400, code: 'validation_failed' })
    expect(await refusedVote(viewer, randomUUID())).toEqual({ status: 404, code: 'not_found' })
    expect(await counted(id)).toEqual([0, 2])
  })

  it('of an account that is banned from the chat alone does not keep it from liking videos', async () => {
    const ban = {
      userId: viewer.user.id,
      restrictionId: randomUUID(),
      restrictionType: 'chat_banned' as const,
    }
    await harness.publish('auth.user.restricted.v1', viewer.user.id, { ...ban, reason: 'x', expiresAt: null })
    const liked = await viewer.client.call('PUT /api/videos/:id/like', params(randomUUID()))
    expect(liked.liked).toBe(true)
  })

  it('is limited to thirty a minute for an account', async () => {
    const { id } = await ask()
    for (let change = 0; change < 30; change += 1) await vote(viewer, id, change % 2)
    expect(await refusedVote(viewer, id)).toEqual({ status: 429, code: 'rate_limited' })
    expect(await counted(id)).toEqual([0, 1])
  })

  it('counts for at most five accounts of one network, those that have voted first', async () => {
    const { id, answers } = await ask({ ...QUESTION, answers: ['A', 'B', 'C'] })
    const poll = { id, answers: answers.map(({ text }) => text) }
    const votes = fc.array(fc.record({ network: fc.nat({ max: 3 }), answer: fc.nat({ max: 2 }) }), {
      maxLength: 30,
    })
    const { db, clock } = harness
    const day = new Date(clock.nowMs).toISOString().slice(0, 10)
    await fc.assert(
      fc.asyncProperty(votes, async (cast) => {
        await db.deleteFrom('pollVotes').where('pollId', '=', id).execute()
        const voters = new Map<number, number>()
        const expected = [0, 0, 0]
        for (const [index, { network, answer }] of cast.entries()) {
          const userId = randomUUID()
          await saveNetwork(db, userId, networkKeysOf(`198.51.100.${network}`, 'secret', clock.nowMs))
          const votedAt = new Date(clock.nowMs + index)
          await db.insertInto('pollVotes').values({ pollId: id, userId, answer, votedAt }).execute()
          voters.set(network, (voters.get(network) ?? 0) + 1)
          if ((voters.get(network) ?? 0) <= 5) expected[answer] = (expected[answer] ?? 0) + 1
        }
        expect(await db.transaction().execute((trx) => countAnswers(trx, poll, day))).toEqual(expected)
      }),
      { numRuns: 15 },
    )
  })

  it('is published with the others of the same second, however many there are', async () => {
    const { id } = await ask()
    const voters = await Promise.all(Array.from({ length: 8 }, () => harness.join()))
    // Tests come from one network, which counts five times.
    await harness.db.deleteFrom('networks').execute()
    await Promise.all(voters.map((one) => vote(one, id, 0)))
    await publish()
    await publish()
    expect((await published(id)).map(({ version }) => version)).toEqual([1, 2])
  })
})

describe('the end of a poll', () => {
  it('comes by itself, once, also with several replicas and after the service was away', async () => {
    const { id, closesAt } = await ask()
    await vote(viewer, id, 1)
    harness.clock.nowMs = Date.parse(closesAt)
    expect(await refusedVote(viewer, id)).toEqual({ status: 409, code: 'poll_closed' })
    harness.clock.nowMs += DAY_MS
    await Promise.all([publish(), publish(), publish()])
    await publish()
    const closed = (await published(id)).filter(({ state }) => state === 'closed')
    expect(closed).toHaveLength(1)
    expect(closed[0]).toMatchObject({ votes: 1, closedAt: closesAt, version: 2 })
    expect(await refusedVote(viewer, id)).toEqual({ status: 409, code: 'poll_closed' })
    expect((await ask()).state).toBe('open')
    expect((await list()).map(({ state }) => state)).toEqual(['open', 'closed'])
  })

  it('counts every vote that was accepted while it came', async () => {
    const { id } = await ask()
    const voters = await Promise.all(Array.from({ length: 5 }, () => harness.join()))
    const answers = Promise.all(
      voters.map(({ client }) =>
        client.send('PUT /api/polls/:id/vote', { ...params(id), body: { answer: 0 } }),
      ),
    )
    await moderator.client.call('POST /api/polls/:id/end', params(id))
    const accepted = (await answers).filter(({ status }) => status === 200).length
    expect(await counted(id)).toEqual([accepted, 0])
  })

  it('may be before its time, is idempotent, and audited', async () => {
    const { id } = await ask()
    await vote(viewer, id, 0)
    harness.clock.nowMs += 5000
    const end = () => moderator.client.call('POST /api/polls/:id/end', params(id))
    const closed = await end()
    expect(closed).toMatchObject({ state: 'closed', votes: 1 })
    expect(await end()).toEqual(closed)
    await harness.service.processAll()
    const audit = await eventsOf(harness.nats, 'audience.audit.recorded.v1')
    const actions = audit.filter(({ data }) => data.targetId === channelId).map(({ data }) => data.action)
    expect(actions).toEqual(['poll.create', 'poll.end'])
    expect((await eventsOf(harness.nats, 'audience.poll.closed.v1')).at(-1)?.data.askedBy).toBe(
      moderator.user.id,
    )
  })

  it('has no result if a moderator deletes the poll', async () => {
    const { id } = await ask()
    await vote(viewer, id, 0)
    expect((await viewer.client.send('DELETE /api/polls/:id', params(id))).status).toBe(403)
    await moderator.client.call('DELETE /api/polls/:id', params(id))
    expect(await refusedVote(viewer, id)).toEqual({ status: 404, code: 'not_found' })
    expect(await list()).toEqual([])
    await harness.service.processAll()
    const removed = await eventsOf(harness.nats, 'audience.poll.removed.v1')
    expect(removed.at(-1)?.data).toEqual({ channelId, pollId: id })
    expect((await ask()).state).toBe('open')
  })

  it('is that of its channel, too', async () => {
    const { id } = await ask()
    await vote(viewer, id, 0)
    await harness.publish('stream.channel.deleted.v1', channelId, { channelId })
    expect(await refusedVote(viewer, id)).toEqual({ status: 404, code: 'not_found' })
  })
})

describe('who has voted for what', () => {
  const exported = async () =>
    (await viewer.client.call('GET /api/export/polls', { query: {} })).items.map(({ answer }) => answer)

  it('is exported, and deleted with the account, whose vote no longer counts in an open poll', async () => {
    const { id } = await ask()
    await vote(viewer, id, 1)
    expect(await exported()).toEqual(['Soul'])
    expect(await counted(id)).toEqual([0, 1])
    await harness.publish('auth.user.deleted.v1', viewer.user.id, { userId: viewer.user.id })
    expect(await exported()).toEqual([])
    expect(await counted(id)).toEqual([0, 0])
  })

  it('is deleted a day after the end, and the poll with the air log; the result stays until then', async () => {
    const { id } = await ask()
    await vote(viewer, id, 1)
    await moderator.client.call('POST /api/polls/:id/end', params(id))
    const { db, clock } = harness
    await deleteVotesInClosed(db, new Date(clock.nowMs))
    expect(await exported()).toEqual(['Soul'])
    await deleteVotesInClosed(db, new Date(clock.nowMs + 1))
    expect(await exported()).toEqual([])
    expect(await countsOf(id)).toEqual([0, 1])
    await deletePollsBefore(db, new Date(clock.nowMs))
    expect(await list()).toHaveLength(1)
    await deletePollsBefore(db, new Date(clock.nowMs + 1))
    expect(await list()).toEqual([])
  })
})

it('the list of polls is in pages', async () => {
  const asked: string[] = []
  for (let poll = 0; poll < 3; poll += 1) {
    harness.clock.nowMs += 1
    const { id } = await ask()
    await moderator.client.call('POST /api/polls/:id/end', params(id))
    asked.unshift(id)
  }
  const page = (query: { limit: number; cursor?: string }) =>
    viewer.client.call('GET /api/channels/:id/polls', { ...params(channelId), query })
  const first = await page({ limit: 2 })
  const rest = await page({ limit: 2, cursor: first.nextCursor ?? '' })
  expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(asked)
  expect(rest.nextCursor).toBeNull()
})
