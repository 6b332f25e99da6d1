import { randomUUID } from 'node:crypto'
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

let harness: AudienceHarness
let viewer: Viewer
let programmer: Viewer
let channel: string
let channelCount = 0

beforeAll(async () => {
  harness = await startAudienceHarness()
  programmer = await harness.join({ role: 'programmer' })
})
afterAll(() => harness.stop())
beforeEach(async () => {
  channelCount += 1
  channel = `channel-${channelCount}`
  harness.check = (_channelId, videoId) => allowed(videoId)
  viewer = await harness.join()
})

const waiting = async () =>
  (await viewer.client.call('GET /api/channels/:id/requests', { params: { id: channel }, query: {} })).items

const ownOf = async ({ client }: Viewer) => (await client.call('GET /api/me/requests', { query: {} })).items

const auditEntries = async () => {
  await harness.service.processAll()
  const entries = (await contentsOf(harness.nats, 'AUDIT')).map(
    ({ data }) => data as { action: string; targetId: string; details: { channelId?: string } | null },
  )
  return entries.filter(({ targetId, details }) => targetId === channel || details?.channelId === channel)
}
const audited = async () => (await auditEntries()).map(({ action }) => action)

describe('a programmer', () => {
  it('refuses a request with a reason, which its requester reads', async () => {
    const { id: requestId } = await request(viewer, channel)
    const input = { params: { requestId }, body: { reason: 'Not tonight' } }
    const refused = await programmer.client.call('POST /api/requests/:requestId/refuse', input)
    expect(refused.state).toBe('refused')
    expect(await waiting()).toEqual([])
    const again = await programmer.client.send('POST /api/requests/:requestId/refuse', input)
    expect(await refusalOf(again)).toEqual({ status: 409, code: 'conflict' })
    const { items } = await viewer.client.call('GET /api/export/requests', { query: {} })
    expect(items).toMatchObject([{ id: requestId, state: 'refused', reason: 'Not tonight' }])
    const endedAt = new Date(harness.clock.nowMs).toISOString()
    expect(await ownOf(viewer)).toMatchObject([
      {
        id: requestId,
        channelId: channel,
        state: 'refused',
        reason: 'Not tonight',
        isByStaff: true,
        endedAt,
      },
    ])
    expect(await ownOf(programmer)).toEqual([])
    expect(await auditEntries()).toMatchObject([
      {
        ...{ action: 'request.refuse', targetUserId: viewer.user.id, before: null, after: null },
        details: { channelId: channel, videoTitle: 'Title', reason: 'Not tonight' },
      },
    ])
  })

  it('pins requests before the others, in the order of pinning, and unpins them', async () => {
    const first = await request(viewer, channel)
    tick(harness)
    const second = await request(viewer, channel)
    tick(harness)
    const third = await request(viewer, channel)
    const pin = (requestId: string) =>
      programmer.client.call('POST /api/requests/:requestId/pin', { params: { requestId } })
    await pin(third.id)
    harness.clock.nowMs += 1000
    await pin(second.id)
    await pin(second.id)
    expect((await waiting()).map(({ id, isPinned }) => [id, isPinned])).toEqual([
      [third.id, true],
      [second.id, true],
      [first.id, false],
    ])
    await programmer.client.call('DELETE /api/requests/:requestId/pin', { params: { requestId: third.id } })
    expect((await waiting()).map(({ id }) => id)).toEqual([second.id, first.id, third.id])
    expect(await audited()).toEqual(['request.pin', 'request.pin', 'request.unpin'])
  })

  it('withdraws the request of another user, which is audited', async () => {
    const { id: requestId } = await request(viewer, channel)
    await programmer.client.call('DELETE /api/requests/:requestId', { params: { requestId } })
    expect(await waiting()).toEqual([])
    expect(await audited()).toEqual(['request.withdraw'])
  })

  it('closes requests: those that wait stay, new ones are refused', async () => {
    const kept = await request(viewer, channel)
    const params = { id: channel }
    await programmer.client.call('PATCH /api/channels/:id/requests/settings', {
      ...{ params, body: { isOpen: false } },
    })
    const settings = await viewer.client.call('GET /api/channels/:id/requests/settings', { params })
    expect(settings).toEqual({ isOpen: false })
    const input = { params, body: { videoId: randomUUID() } }
    const refused = await viewer.client.send('POST /api/channels/:id/requests', input)
    expect(await refusalOf(refused)).toEqual({ status: 403, code: 'requests_closed' })
    expect((await waiting()).map(({ id }) => id)).toEqual([kept.id])
    expect(await audited()).toEqual(['request_settings.update'])
  })

  it('closes and excludes nothing on a channel that does not exist', async () => {
    harness.check = () => null
    const params = { id: channel }
    const answers = [
      await programmer.client.send('PATCH /api/channels/:id/requests/settings', {
        ...{ params, body: { isOpen: false } },
      }),
      await programmer.client.send('POST /api/channels/:id/requests/exclusions', {
        ...{ params, body: { videoId: randomUUID() } },
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
  })

  it('excludes a video and an artist, without case, until they are allowed again', async () => {
    const [videoId, other] = [randomUUID(), randomUUID()]
    const params = { id: channel }
    const exclude = (body: { videoId: string } | { artistName: string }) =>
      programmer.client.call('POST /api/channels/:id/requests/exclusions', { params, body })
    const byVideo = await exclude({ videoId })
    expect(await exclude({ videoId })).toEqual(byVideo)
    const send = (id: string) =>
      viewer.client.send('POST /api/channels/:id/requests', { params, body: { videoId: id } })
    const refusal = { status: 409, code: 'request_not_possible', rule: 'excludedFromRequests', until: null }
    expect(await refusalOf(await send(videoId))).toEqual(refusal)
    expect((await send(other)).status).toBe(201)
    tick(harness)
    const byArtist = await exclude({ artistName: 'ARTIST' })
    expect(await refusalOf(await send(randomUUID()))).toEqual(refusal)
    const { items } = await programmer.client.call('GET /api/channels/:id/requests/exclusions', { params })
    expect(items.map(({ id }) => id)).toEqual([byVideo.id, byArtist.id])
    for (const { id: exclusionId } of items) {
      const input = { params: { id: channel, exclusionId } }
      await programmer.client.call('DELETE /api/channels/:id/requests/exclusions/:exclusionId', input)
    }
    expect((await send(videoId)).status).toBe(201)
    expect((await auditEntries()).map(({ action, details }) => [action, details])).toEqual([
      ['request_exclusion.add', { videoTitle: 'Title' }],
      ['request_exclusion.add', {}],
      ['request_exclusion.remove', { videoTitle: 'Title' }],
      ['request_exclusion.remove', {}],
    ])
  })
})

it('a viewer neither refuses, pins, closes nor excludes', async () => {
  const { id: requestId } = await request(viewer, channel)
  const { client } = viewer
  const body = { reason: 'x' }
  const answers = [
    await client.send('POST /api/requests/:requestId/refuse', { params: { requestId }, body }),
    await client.send('POST /api/requests/:requestId/pin', { params: { requestId } }),
    await client.send('PATCH /api/channels/:id/requests/settings', {
      ...{ params: { id: channel }, body: { isOpen: false } },
    }),
    await client.send('GET /api/channels/:id/requests/exclusions', { params: { id: channel } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
})
