import { randomUUID } from 'node:crypto'
import { clientOf } from '@looptide/testkit/client'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type AudienceHarness,
  allowed,
  refusalOf,
  request,
  startAudienceHarness,
  tick,
  type Viewer,
} from './_harness.ts'

const HOUR_MS = 3_600_000
let harness: AudienceHarness
let viewer: Viewer
let channel: string
let channelCount = 0

beforeAll(async () => {
  harness = await startAudienceHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  channelCount += 1
  channel = `channel-${channelCount}`
  harness.check = (_channelId, videoId) => allowed(videoId)
  viewer = await harness.join()
})

const list = (query: { limit?: number; cursor?: string } = {}, client = viewer.client) =>
  client.call('GET /api/channels/:id/requests', { params: { id: channel }, query })
const send = (videoId: string, by = viewer) =>
  by.client.send('POST /api/channels/:id/requests', { params: { id: channel }, body: { videoId } })

describe('a request', () => {
  it('waits after it is made, with its video and its requester, for everyone', async () => {
    const made = await request(viewer, channel)
    expect(made).toMatchObject({
      video: { title: 'Title', artistName: 'Artist', durationMs: 200_000 },
      requestedBy: { userId: viewer.user.id, handle: `h${viewer.user.id.slice(0, 8)}` },
      ...{ votes: 0, hasVoted: false, state: 'waiting', isPinned: false, expectedAt: null, blockedBy: null },
    })
    expect(await list({}, clientOf(harness.url))).toEqual({ items: [made], nextCursor: null })
  })

  it('is made once for a video: a repetition returns the waiting one, also if several arrive together', async () => {
    const videoId = randomUUID()
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(videoId)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201])
    const ids = await Promise.all(answers.map(async (one) => ((await one.json()) as { id: string }).id))
    expect(new Set(ids).size).toBe(1)
  })

  it('is listed in pages in the order of the requests', async () => {
    const others = [viewer, await harness.join(), await harness.join()]
    const made: string[] = []
    for (const one of others) {
      tick(harness)
      made.push((await request(one, channel)).id)
    }
    const first = await list({ limit: 2 })
    const second = await list({ limit: 2, cursor: first.nextCursor ?? '' })
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made)
    expect(second.nextCursor).toBeNull()
  })

  it('is published when it is made and when it is withdrawn', async () => {
    const { id: requestId } = await request(viewer, channel)
    await viewer.client.call('DELETE /api/requests/:requestId', { params: { requestId } })
    await viewer.client.call('DELETE /api/requests/:requestId', { params: { requestId } })
    await harness.service.processAll()
    const published = (await contentsOf(harness.nats, 'AUDIENCE')).filter(
      ({ aggregateId }) => aggregateId === channel,
    )
    expect(published.map(({ data }) => data)).toEqual([
      { channelId: channel, requestId, state: 'waiting' },
      { channelId: channel, requestId, state: 'withdrawn' },
    ])
    expect((await list()).items).toEqual([])
  })

  it('can be made again after it was withdrawn', async () => {
    const videoId = randomUUID()
    const { id: requestId } = await request(viewer, channel, videoId)
    await viewer.client.call('DELETE /api/requests/:requestId', { params: { requestId } })
    expect((await send(videoId)).status).toBe(201)
  })
})

describe('the limits of requests', () => {
  it('an account has at most three waiting, on all channels together and at once', async () => {
    const ids = [1, 2, 3, 4, 5, 6].map(() => randomUUID())
    const made = await Promise.all(
      ids.map((videoId, index) =>
        viewer.client.send('POST /api/channels/:id/requests', {
          params: { id: index % 2 === 0 ? channel : `${channel}-b` },
          body: { videoId },
        }),
      ),
    )
    expect(made.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = made.find(({ status }) => status !== 201)!
    expect(await refusalOf(refused)).toEqual({ status: 409, code: 'request_limit' })
  })

  it('an account must have a minimum age, and the answer says from when on it has', async () => {
    const young = await harness.join({ ageMs: HOUR_MS })
    expect(await refusalOf(await send(randomUUID(), young))).toEqual({
      status: 403,
      code: 'account_too_new',
      until: new Date(harness.clock.nowMs + 23 * HOUR_MS).toISOString(),
    })
  })

  it('an account whose age is not known waits for auth', async () => {
    const unknown = await harness.join({ ageMs: null })
    expect(await refusalOf(await send(randomUUID(), unknown))).toMatchObject({
      ...{ status: 503, code: 'service_unavailable' },
    })
  })

  it('a restricted account requests nothing until the restriction is lifted', async () => {
    const common = {
      userId: viewer.user.id,
      restrictionId: randomUUID(),
      restrictionType: 'restricted' as const,
    }
    await harness.publish('auth.user.restricted.v1', viewer.user.id, {
      ...common,
      reason: 'x',
      expiresAt: null,
    })
    expect(await refusalOf(await send(randomUUID()))).toEqual({ status: 403, code: 'user_restricted' })
    await harness.publish('auth.user.unrestricted.v1', viewer.user.id, common)
    expect((await send(randomUUID())).status).toBe(201)
  })

  it('a rule that forbids the video is named, with the time from which it is possible', async () => {
    const forbidden = { rule: 'artistSeparationMinutes', until: '2027-01-01T20:41:00.000Z' }
    harness.check = (_channelId, videoId) => ({ ...allowed(videoId), forbidden })
    expect(await refusalOf(await send(randomUUID()))).toEqual({
      ...{ status: 409, code: 'request_not_possible' },
      ...forbidden,
    })
  })

  it('a channel without slots for requests, an unknown channel and an unknown video refuse', async () => {
    harness.check = (_channelId, videoId) => ({ ...allowed(videoId), isOpen: false })
    expect(await refusalOf(await send(randomUUID()))).toEqual({ status: 403, code: 'requests_closed' })
    harness.check = (_channelId, videoId) => ({ ...allowed(videoId), video: null })
    expect(await refusalOf(await send(randomUUID()))).toEqual({ status: 404, code: 'not_found' })
    harness.check = () => null
    expect(await refusalOf(await send(randomUUID()))).toEqual({ status: 404, code: 'not_found' })
  })

  it('an account tries at most twenty requests a minute, also those that a rule forbids', async () => {
    const forbidden = { rule: 'videoSeparationHours', until: null }
    harness.check = (_channelId, videoId) => ({ ...allowed(videoId), forbidden })
    for (let attempt = 0; attempt < 20; attempt += 1) expect((await send(randomUUID())).status).toBe(409)
    harness.check = (_channelId, videoId) => allowed(videoId)
    const refused = await send(randomUUID())
    expect(await refusalOf(refused)).toEqual({ status: 429, code: 'rate_limited' })
    harness.clock.nowMs += 60_000
    expect((await send(randomUUID())).status).toBe(201)
  })

  it('another user cannot withdraw a request, a visitor cannot make one', async () => {
    const { id: requestId } = await request(viewer, channel)
    const other = await harness.join()
    const refused = await other.client.send('DELETE /api/requests/:requestId', { params: { requestId } })
    expect(await refusalOf(refused)).toEqual({ status: 403, code: 'forbidden' })
    const visitor = clientOf(harness.url)
    const input = { params: { id: channel }, body: { videoId: randomUUID() } }
    expect((await visitor.send('POST /api/channels/:id/requests', input)).status).toBe(401)
  })
})

it('a request is found by its id while its channel is shown, until it is withdrawn', async () => {
  const { id: requestId } = await request(viewer, channel)
  const find = async (client = clientOf(harness.url)) =>
    (await client.send('GET /api/requests/:requestId', { params: { requestId } })).status
  expect(await find()).toBe(200)
  harness.check = (_channelId, videoId) => ({ ...allowed(videoId), isActive: false })
  harness.clock.nowMs += 60_000
  expect(await find()).toBe(404)
  expect(await find((await harness.join({ role: 'programmer' })).client)).toBe(200)
  harness.check = (_channelId, videoId) => allowed(videoId)
  expect(await find()).toBe(200)
  await viewer.client.call('DELETE /api/requests/:requestId', { params: { requestId } })
  expect(await find(viewer.client)).toBe(404)
})

it('all of a channel is deleted with it', async () => {
  await request(viewer, channel)
  await harness.publish('stream.channel.deleted.v1', channel, { channelId: channel })
  expect((await list()).items).toEqual([])
})

it('a requester who does not show their name is seen by themselves alone', async () => {
  const [viewer, other] = [await harness.join(), await harness.join()]
  const { id } = await request(viewer, 'nameless')
  const requester = async ({ client }: Viewer) => {
    const input = { params: { id: 'nameless' }, query: {} }
    const { items } = await client.call('GET /api/channels/:id/requests', input)
    return items.find((one) => one.id === id)?.requestedBy?.userId
  }
  expect(await viewer.client.call('GET /api/me/requests/settings')).toEqual({ showsName: true })
  const visitor = clientOf(harness.url)
  const find = () => visitor.call('GET /api/requests/:requestId', { params: { requestId: id } })
  expect(await requester(other)).toBe(viewer.user.id)
  expect(await find()).toMatchObject({ requestedBy: { userId: viewer.user.id }, state: 'waiting' })
  const body = { showsName: false }
  expect(await viewer.client.call('PATCH /api/me/requests/settings', { body })).toEqual(body)
  expect(await viewer.client.call('GET /api/me/requests/settings')).toEqual(body)
  expect(await requester(other)).toBeUndefined()
  expect(await find()).toMatchObject({ id, requestedBy: null })
  expect(await requester(viewer)).toBe(viewer.user.id)
})
