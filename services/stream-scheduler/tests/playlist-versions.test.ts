import type { EventData } from '@looptide/contracts/events'
import type { ChannelPlaylistItem } from '@looptide/contracts/http/channel-playlists'
import { newId } from '@looptide/service-kit/db/ids'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestScheduler, video } from './_harness.ts'

type AuditEntryData = EventData<'stream.audit.recorded.v1'>
type Four = [string, string, string, string]

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

const read = async (id: string): Promise<{ etag: string; ids: string[]; videoIds: string[] }> => {
  const { headers, body } = await station.request('GET', `/api/channels/${id}/playlist`)
  const items: ChannelPlaylistItem[] = body.items
  return {
    etag: headers.get('etag') ?? '',
    ids: items.map((item) => item.id),
    videoIds: items.map((item) => item.videoId),
  }
}
const save = (id: string, body: object, ifMatch?: string) =>
  station.request('PUT', `/api/channels/${id}/playlist`, body, withTag(ifMatch))
const withTag = (ifMatch: string | undefined) => ({
  headers: { ...station.admin.headers, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
})

test('one save removes, adds and moves items, and returns the new version', async () => {
  const [a, b, c, d] = [video(), video(), video(), video()] as const
  const id = await station.channelPlaying('Saved', [a, b, c])
  await station.addVideos([d])
  const before = await read(id)
  const [ia, , ic] = before.ids as [string, string, string]
  const added = { itemId: newId(), videoId: d.id }
  const body = { itemIds: [ic, added.itemId, ia], added: [added] }
  const saved = await save(id, body, before.etag)
  expect(saved).toMatchObject({ status: 200, body: { added: 1, removed: 1 } })
  const after = await read(id)
  expect(after).toEqual({
    etag: saved.headers.get('etag'),
    ids: body.itemIds,
    videoIds: [c.id, d.id, a.id],
  })
  expect(after.etag).not.toBe(before.etag)
  const upcoming = (await station.now(id)).programmes.map((programme) => programme.videoId)
  expect(upcoming.slice(0, 4)).toEqual([a.id, c.id, d.id, a.id])

  // A client whose response was lost repeats the request: nothing is added twice.
  expect(await save(id, body, after.etag)).toMatchObject({ body: { added: 0, removed: 0, moved: 0 } })
  expect(await read(id)).toEqual(after)
  expect((await save(id, { itemIds: [] }, after.etag)).status).toBe(200)
  expect((await read(id)).ids).toEqual([])
})

test('a save with foreign items, unknown videos or repeated additions is refused and changes nothing', async () => {
  const [a, b] = [video(), video()] as const
  const id = await station.channelPlaying('Refused', [a])
  const other = await station.channelPlaying('Other', [b])
  const before = await read(id)
  const [foreign] = (await read(other)).ids as [string]
  const itemId = newId()
  const cases = [
    [{ itemIds: [newId()] }, 409],
    [{ itemIds: [foreign], added: [{ itemId: foreign, videoId: a.id }] }, 409],
    [{ itemIds: before.ids, added: [{ itemId: before.ids[0], videoId: b.id }] }, 409],
    [{ itemIds: [itemId], added: [{ itemId, videoId: newId() }] }, 404],
    [{ itemIds: before.ids, added: [{ itemId, videoId: b.id }] }, 400],
    [{ itemIds: [itemId, itemId] }, 400],
  ] as const
  for (const [body, status] of cases) {
    expect([body, (await save(id, body)).status]).toEqual([body, status])
    expect(await read(id)).toEqual(before)
  }
})

test('every write with an outdated ETag is refused and changes nothing', async () => {
  const videos = [video(), video(), video()]
  const id = await station.channelPlaying('Contested', videos)
  const stale = (await read(id)).etag
  const [first, second] = (await read(id)).ids as [string, string, string]
  await station.must('DELETE', `/api/channels/${id}/playlist/${first}`)
  const now = await read(id)
  const path = `/api/channels/${id}/playlist`
  const writes = [
    ['PUT', path, { itemIds: [second] }],
    ['PUT', `${path}/order`, { itemIds: now.ids.toReversed() }],
    ['POST', path, { videoIds: [videos[0]!.id] }],
    ['DELETE', path, { itemIds: [second] }],
    ['DELETE', `${path}/${second}`, undefined],
  ] as const
  for (const [method, address, body] of writes) {
    const refused = await station.request(method, address, body, withTag(stale))
    expect([method, address, refused.status, refused.body.code]).toEqual([
      method,
      address,
      412,
      'precondition_failed',
    ])
    expect(await read(id)).toEqual(now)
  }
  // One of several ETags, an ETag weakened by a proxy, or any version.
  for (const accepted of [`${stale}, ${now.etag}`, `W/${now.etag}`, '*']) {
    expect((await save(id, { itemIds: now.ids }, accepted)).status).toBe(200)
  }
  expect(await read(id)).toEqual(now)
})

test('the version is the same on each page, and changes when a video is removed from the library', async () => {
  const videos = [video(), video(), video()]
  const id = await station.channelPlaying('Paged', videos)
  const first = await station.request('GET', `/api/channels/${id}/playlist?limit=2`)
  const query = `limit=2&cursor=${first.body.nextCursor}`
  const second = await station.request('GET', `/api/channels/${id}/playlist?${query}`)
  expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
  await station.publish(['catalogue.video.removed.v1', videos[1]!.id, { videoId: videos[1]!.id }])
  const after = await read(id)
  expect(after.ids).toHaveLength(2)
  expect(after.etag).not.toBe(first.headers.get('etag'))
})

test('entries of the audit log name what an undo of a change of a playlist needs', async () => {
  const [a, b, c, d] = [video(), video(), video(), video()] as const
  const id = await station.channelPlaying('Audited', [a, b, c, d])
  await station.settle()
  const audited: AuditEntryData[] = []
  await station.listen('stream.audit.recorded.v1', ({ data }) => {
    if (data.targetId === id) audited.push(data)
  })
  const [start, [ia, ib, ic, id4]] = await read(id).then(({ etag, ids }) => [etag, ids as Four] as const)

  await station.must('PUT', `/api/channels/${id}/playlist/order`, { itemIds: [ib, ic, id4, ia] })
  const reordered = await read(id)
  await station.must('DELETE', `/api/channels/${id}/playlist/${ic}`)
  await station.must('DELETE', `/api/channels/${id}/playlist`, { itemIds: [ia, ib] })
  // The items of a removal are named in the order of the playlist, each with its video and its place.
  const removed = [
    { itemIds: [ic], videoIds: [c.id], positions: [1] },
    { itemIds: [ib, ia], videoIds: [b.id, a.id], positions: [0, 2] },
  ]
  await station.settle()
  expect(audited).toMatchObject([
    {
      action: 'playlist.order',
      before: { playlistVersion: start.replaceAll('"', '') },
      after: { playlistVersion: reordered.etag.replaceAll('"', '') },
      details: { count: 1, moved: [ia], positions: [0] },
    },
    ...removed.map(({ videoIds, itemIds, positions }, index) => ({
      action: index === 0 ? 'playlist.remove' : 'playlist.remove_many',
      before: { videoIds },
      details: { removed: itemIds.length, itemIds, positions },
    })),
  ])
})
