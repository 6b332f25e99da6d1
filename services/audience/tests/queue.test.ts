import { randomUUID } from 'node:crypto'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { eventsOf } from '@looptide/testkit/stream-contents'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publishQueues } from '../src/features/queue/queue-publisher.ts'
import {
  type AudienceHarness,
  request,
  startAudienceHarness,
  tick,
  type Viewer,
  videoOf,
} from './_harness.ts'

const logger = createLogger('test', 'silent')
let harness: AudienceHarness
let programmer: Viewer
let channel: string
let channelCount = 0

beforeAll(async () => {
  harness = await startAudienceHarness()
  programmer = await harness.join({ role: 'programmer' })
})
afterAll(() => harness.stop())
beforeEach(() => {
  channelCount += 1
  channel = `channel-${channelCount}`
})

const list = async (limit = 100) => {
  const input = { params: { id: channel }, query: { limit } }
  return (await programmer.client.call('GET /api/channels/:id/requests', input)).items
}
const idsOf = async () => (await list()).map(({ id }) => id)

/** Publishes what has changed, and returns all queues of the channel. */
async function publishedQueues() {
  await publishQueues({ db: harness.db, logger, now: () => harness.clock.nowMs })
  await harness.service.processAll()
  const events = await eventsOf(harness.nats, 'audience.queue.changed.v1')
  return events.map(({ data }) => data).filter(({ channelId }) => channelId === channel)
}

async function requestInOrder(...viewers: readonly Viewer[]): Promise<string[]> {
  const ids: string[] = []
  for (const viewer of viewers) {
    tick(harness)
    ids.push((await request(viewer, channel)).id)
  }
  return ids
}

/** A vote of a new account that has watched long enough. */
async function vote(requestId: string): Promise<Viewer> {
  const voter = await harness.join()
  const hour = new Date(Math.floor(harness.clock.nowMs / 3_600_000) * 3_600_000)
  const watched = { userId: voter.user.id, startsAt: hour, watchedMs: 600_000, seenAt: hour }
  await harness.db.insertInto('watchHours').values(watched).execute()
  await voter.client.call('PUT /api/requests/:requestId/vote', { params: { requestId } })
  return voter
}

const stateOf = async (id: string) =>
  harness.db.selectFrom('requests').select(['state', 'reason']).where('id', '=', id).executeTakeFirstOrThrow()

describe('the queue of a channel', () => {
  it('is listed in the order of turns once it was published, in pages, and new requests come last', async () => {
    const [anna, ben] = [await harness.join(), await harness.join()]
    const [a1, a2, b1] = await requestInOrder(anna, anna, ben)
    expect(await idsOf()).toEqual([a1, a2, b1])
    await publishedQueues()
    expect(await idsOf()).toEqual([a1, b1, a2])
    const [c1] = await requestInOrder(await harness.join())
    const paged: string[] = []
    let cursor: string | null = null
    do {
      const query: { limit: number; cursor?: string } = { limit: 1, ...(cursor !== null && { cursor }) }
      const page = await programmer.client.call('GET /api/channels/:id/requests', {
        params: { id: channel },
        query,
      })
      paged.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(paged).toEqual([a1, b1, a2, c1])
  })

  it('is published with requests and ballots, without accounts', async () => {
    const [anna, ben] = [await harness.join(), await harness.join()]
    const [a1, a2, b1] = await requestInOrder(anna, anna, ben)
    await vote(a2!)
    await programmer.client.call('POST /api/requests/:requestId/pin', { params: { requestId: b1! } })
    const [queue] = await publishedQueues()
    expect(queue).toMatchObject({ part: 1, parts: 1 })
    expect(queue?.requests.map(({ id, isPinned }) => [id, isPinned])).toEqual([
      [b1, true],
      [a1, false],
      [a2, false],
    ])
    expect(queue?.turns.toSorted((a, b) => a.approved[0]! - b.approved[0]!)).toEqual([
      { load: 0, approved: [0] },
      { load: 0, approved: [1, 2] },
    ])
    expect(queue?.votes).toEqual([{ load: 0, approved: [2] }])
    const text = JSON.stringify(queue)
    for (const { user } of [anna, ben]) expect(text).not.toContain(user.id)
  })

  it('is published again after each kind of change, with a higher number, and not without one', async () => {
    const [anna, ben] = [await harness.join(), await harness.join()]
    const [a1, a2, b1] = await requestInOrder(anna, anna, ben)
    const voter = await vote(a1!)
    await publishedQueues()
    expect(await publishedQueues()).toHaveLength(1)
    const own = { params: { requestId: a1! } }
    await voter.client.call('DELETE /api/requests/:requestId/vote', own)
    expect((await publishedQueues()).at(-1)?.votes).toEqual([])
    await voter.client.call('PUT /api/requests/:requestId/vote', own)
    expect((await publishedQueues()).at(-1)?.votes).toHaveLength(1)
    await harness.publish('auth.user.deleted.v1', voter.user.id, { userId: voter.user.id })
    expect((await publishedQueues()).at(-1)?.votes).toEqual([])
    await harness.publish('auth.user.deleted.v1', ben.user.id, { userId: ben.user.id })
    expect((await publishedQueues()).at(-1)?.requests.map(({ id }) => id)).not.toContain(b1)
    await anna.client.call('DELETE /api/requests/:requestId', own)
    const all = await publishedQueues()
    expect(all.at(-1)?.requests.map(({ id }) => id)).toEqual([a2])
    const numbers = all.map(({ sequence }) => sequence)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
    expect(numbers).toHaveLength(6)
  })

  it('is published by one of several replicas, and no change is lost among votes that arrive meanwhile', async () => {
    const [a1] = await requestInOrder(await harness.join())
    await Promise.all([vote(a1!), publishedQueues(), vote(a1!), publishedQueues(), vote(a1!)])
    const all = await publishedQueues()
    expect(all.at(-1)?.votes).toHaveLength(3)
    const contents = all.map(({ votes }) => votes.length)
    expect(contents).toEqual(contents.toSorted((a, b) => a - b))
  })

  it('has no gap if the stored number is lost: numbers follow the time', async () => {
    const [a1] = await requestInOrder(await harness.join())
    const [before] = await publishedQueues()
    await harness.db.updateTable('channels').set({ queueSequence: 0 }).where('id', '=', channel).execute()
    tick(harness)
    await vote(a1!)
    expect((await publishedQueues()).at(-1)!.sequence).toBeGreaterThan(before!.sequence)
  })
})

it('a waiting request that is excluded names the rule and leaves the queue with its votes, until it is allowed again', async () => {
  const [anna, ben] = [await harness.join(), await harness.join()]
  const [kept, excluded] = await requestInOrder(anna, ben)
  const videoId = (await list()).find(({ id }) => id === excluded)!.video.id
  await vote(excluded!)
  await publishedQueues()
  const params = { id: channel }
  const exclusion = await programmer.client.call('POST /api/channels/:id/requests/exclusions', {
    ...{ params, body: { videoId } },
  })
  const rule = { rule: 'excludedFromRequests', until: null }
  const blocked = async () => (await list()).map(({ id, blockedBy }) => [id, blockedBy])
  expect(await blocked()).toEqual([
    [kept, null],
    [excluded, rule],
  ])
  const own = await ben.client.call('GET /api/me/requests', { query: {} })
  expect(own.items).toMatchObject([{ id: excluded, state: 'waiting', blockedBy: rule }])
  const without = (await publishedQueues()).at(-1)
  expect(without?.requests.map(({ id }) => id)).toEqual([kept])
  expect(without?.votes).toEqual([])
  const changes = (await eventsOf(harness.nats, 'audience.request.changed.v1')).map(({ data }) => data)
  expect(changes.filter(({ requestId }) => requestId === excluded)).toHaveLength(2)
  await programmer.client.call('DELETE /api/channels/:id/requests/exclusions/:exclusionId', {
    params: { ...params, exclusionId: exclusion.id },
  })
  const again = (await publishedQueues()).at(-1)
  expect(again?.requests.map(({ id }) => id)).toEqual([kept, excluded])
  expect(again?.votes).toEqual([{ load: 0, approved: [1] }])
})

it('the requests of one video are listed alone', async () => {
  const videoId = randomUUID()
  const [anna, ben] = [await harness.join(), await harness.join()]
  await request(anna, channel)
  tick(harness)
  const first = await request(anna, channel, videoId)
  tick(harness)
  const second = await request(ben, channel, videoId)
  const page = await programmer.client.call('GET /api/channels/:id/requests', {
    ...{ params: { id: channel }, query: { videoId } },
  })
  expect(page.items.map(({ id }) => id)).toEqual([first.id, second.id])
})

describe('a video that is changed while it is requested', () => {
  it('shows its new texts and the length that is played, and is in the queue with it', async () => {
    const videoId = randomUUID()
    const viewer = await harness.join()
    const { id } = await request(viewer, channel, videoId)
    const trimmed = videoOf(videoId, { startAtMs: 10_000, endAtMs: 250_000 })
    await harness.publish('catalogue.video.updated.v1', videoId, { video: trimmed })
    expect((await list()).find((one) => one.id === id)?.video).toEqual({
      ...{ id: videoId, title: 'New title', artistName: 'New artist', thumbnailUrl: null },
      durationMs: 240_000,
    })
    expect((await publishedQueues()).at(-1)?.requests).toMatchObject([{ id, durationMs: 240_000 }])
    await harness.db.updateTable('requests').set({ videoVersion: 1e9 }).where('id', '=', id).execute()
    const older = videoOf(videoId, { title: 'Older title' })
    await harness.publish('catalogue.videos.updated.v1', videoId, { videos: [older] })
    expect((await list())[0]?.video.title).toBe('New title')
  })

  it.each([
    ['deleted', 'This video was deleted.'],
    ['deleted with others', 'This video was deleted.'],
    ['made private', 'This video is not in the public library any more.'],
    ['unavailable', 'This video is not available any more.'],
  ])('is refused with its votes if it is %s, and leaves the queue', async (what, reason) => {
    const videoId = randomUUID()
    const { id } = await request(await harness.join(), channel, videoId)
    const [other] = await requestInOrder(await harness.join())
    await vote(id)
    await publishedQueues()
    if (what === 'deleted') await harness.publish('catalogue.video.removed.v1', videoId, { videoId })
    else if (what === 'deleted with others')
      await harness.publish('catalogue.videos.removed.v1', videoId, { videoIds: [randomUUID(), videoId] })
    else if (what === 'made private')
      await harness.publish('catalogue.videos.updated.v1', videoId, {
        videos: [videoOf(videoId, { isPublic: false })],
      })
    else
      await harness.publish('catalogue.video.updated.v1', videoId, {
        video: videoOf(videoId, { metadataStatus: 'unavailable' }),
      })
    expect(await stateOf(id)).toEqual({ state: 'refused', reason })
    const votes = await harness.db.selectFrom('votes').selectAll().where('requestId', '=', id).execute()
    expect(votes).toEqual([])
    expect((await publishedQueues()).at(-1)?.requests.map((one) => one.id)).toEqual([other])
    const changes = (await eventsOf(harness.nats, 'audience.request.changed.v1')).map(({ data }) => data)
    expect(changes).toContainEqual({ channelId: channel, requestId: id, state: 'refused' })
  })
})
