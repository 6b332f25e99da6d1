import type { ChannelPlaylistItem } from '@looptide/contracts/http/channel-playlists'
import type { ProgrammeExplanation, SimulateBody, Simulation } from '@looptide/contracts/http/simulation'
import type { ScheduleDocument, Source } from '@looptide/contracts/schedule'
import { newId } from '@looptide/service-kit/db/ids'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

const items = async (id: string): Promise<ChannelPlaylistItem[]> =>
  (await station.must('GET', `/api/channels/${id}/playlist`)).items
const simulate = (id: string, changes: SimulateBody = {}): Promise<Simulation> =>
  station.must('POST', `/api/channels/${id}/simulate`, changes)
const times = (programmes: readonly { videoId: string; startsAtMs: number; endsAtMs: number }[]) =>
  programmes.map(({ videoId, startsAtMs, endsAtMs }) => ({ videoId, startsAtMs, endsAtMs }))

/** The programmes of the timeline in the time span of a simulation. */
async function planned(id: string, { programmes }: Simulation) {
  const guide = await station.must('GET', `/api/channels/${id}/guide?hours=4`)
  return times(guide.programmes.slice(0, programmes.length))
}

interface Edit {
  kind: 'add' | 'remove' | 'order' | 'shuffle' | 'list'
  pick: number
  advanceMinutes: number
}
const edits = fc.array(
  fc.record({
    kind: fc.constantFrom<Edit['kind']>('add', 'remove', 'order', 'shuffle', 'list'),
    pick: fc.nat(1000),
    advanceMinutes: fc.integer({ min: 0, max: 20 }),
  }),
  { minLength: 3, maxLength: 8 },
)

/** The body of the simulation of an edit, and the request that makes the edit. */
async function changesOf(
  id: string,
  { kind, pick }: Edit,
  shuffle: boolean,
): Promise<{ changes: SimulateBody; apply: Parameters<TestScheduler['must']> }> {
  const path = `/api/channels/${id}`
  const list = await items(id)
  const index = pick % list.length
  if (kind === 'shuffle') {
    const changes = { shuffleEnabled: !shuffle }
    return { changes, apply: ['PATCH', path, changes] }
  }
  if (kind === 'remove' && list.length > 2) {
    const itemId = list[index]!.id
    return { changes: { remove: [itemId] }, apply: ['DELETE', `${path}/playlist/${itemId}`] }
  }
  if (kind === 'order') {
    const order = list.map((item) => item.id)
    order.splice(index, 0, order.pop()!)
    return { changes: { order }, apply: ['PUT', `${path}/playlist/order`, { itemIds: order }] }
  }
  const fresh = [video({ artistName: `Band ${pick % 4}` }), video({ artistName: `Band ${pick % 3}` })]
  await station.addVideos(fresh)
  if (kind === 'list') {
    const added = fresh.map(({ id: videoId }) => ({ itemId: newId(), videoId }))
    const remaining = list.map((item) => item.id).toSpliced(index, 1)
    const itemIds = remaining.toSpliced(
      pick % (remaining.length + 1),
      0,
      ...added.map(({ itemId }) => itemId),
    )
    const changes = { itemIds: itemIds.reverse(), added }
    return { changes: { list: changes }, apply: ['PUT', `${path}/playlist`, changes] }
  }
  const add = { videoIds: fresh.map((added) => added.id), ...(pick % 2 === 0 && { position: index }) }
  return { changes: { add }, apply: ['POST', `${path}/playlist`, add] }
}

test('a simulation shows the programmes that follow when the change is made', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 3, max: 9 }), edits, async (count, script) => {
      const videos = Array.from({ length: count }, (_, index) => video({ artistName: `Band ${index % 4}` }))
      const id = await station.channelPlaying('Simulated', videos)
      let shuffle = false
      for (const edit of script) {
        await station.advance(edit.advanceMinutes * MINUTE_MS + edit.pick)
        const { changes, apply } = await changesOf(id, edit, shuffle)
        const before = await station.now(id)
        const simulation = await simulate(id, changes)
        expect((await station.now(id)).timelineVersion).toBe(before.timelineVersion)
        await station.must(...apply)
        if (edit.kind === 'shuffle') shuffle = !shuffle
        expect(times(simulation.programmes)).toEqual(await planned(id, simulation))
      }
      await station.must('DELETE', `/api/channels/${id}`)
    }),
    { numRuns: 8 },
  )
})

test('returns the loop before and after a change, also when a playlist replaces the library', async () => {
  const known = await simulate('default')
  const short = video({ durationMs: 213_000 })
  const long = video({ durationMs: 600_000 })
  await station.addVideos([short, long])
  const { before, after } = (await simulate('default', { add: { videoIds: [short.id] } })).loop
  expect(before).toEqual({
    source: 'library',
    videosCount: known.loop.before.videosCount + 2,
    durationMs: known.loop.before.durationMs + 813_000,
  })
  expect(after).toEqual({ source: 'playlist', videosCount: 1, durationMs: 213_000 })

  const { items: added } = await station.must('POST', '/api/live-playlist', { videoIds: [short.id, long.id] })
  const itemIds = added.map((item: ChannelPlaylistItem) => item.id)
  expect((await simulate('default')).loop.before).toEqual({
    source: 'playlist',
    videosCount: 2,
    durationMs: 813_000,
  })
  const removed = await station.must('DELETE', '/api/channels/default/playlist', { itemIds })
  expect(removed).toEqual({ removed: 2 })
  expect(await station.must('DELETE', '/api/channels/default/playlist', { itemIds })).toEqual({ removed: 0 })
  expect((await simulate('default')).loop.before).toEqual(before)
})

test('off the air it shows the programmes of a start, and the start plans them', async () => {
  const videos = Array.from({ length: 6 }, (_, index) => video({ artistName: `Band ${index % 3}` }))
  await station.addVideos(videos)
  const { id } = await station.must('POST', '/api/channels', { name: 'Before its time' })
  await station.must('PATCH', `/api/channels/${id}`, { shuffleEnabled: true })
  const add = { videoIds: videos.map((known) => known.id) }
  const simulation = await simulate(id, { add })
  expect(simulation).toMatchObject({ isOnAir: false, videosCount: 6, sameArtistCount: 0 })
  expect(simulation.programmes.every((programme) => programme.change === 'new')).toBe(true)
  await station.must('POST', `/api/channels/${id}/playlist`, add)
  await station.must('POST', `/api/channels/${id}/stream`, { action: 'start' })
  expect(times(simulation.programmes)).toEqual(await planned(id, simulation))
})

test('it marks programmes as unchanged, moved or new, and lists removed and unplayable videos', async () => {
  const [a, b, c] = [video(), video({ artistName: 'Twice' }), video({ artistName: 'Twice' })] as const
  const dead = video({ title: 'Gone', metadataStatus: 'unavailable' })
  const id = await station.channelPlaying('Told', [a, b, c])
  const fresh = video()
  await station.addVideos([fresh, dead])
  expect(await simulate(id)).toMatchObject({
    isOnAir: true,
    firstChangeMs: null,
    dropped: [],
    unplayableCount: 0,
  })
  const [first, second, third] = await items(id)
  const startMs = (await station.now(id)).programmes[0]!.startsAtMs
  const simulation = await simulate(id, {
    remove: [second!.id],
    order: [third!.id, first!.id],
    add: { videoIds: [fresh.id, dead.id], position: 1 },
  })
  expect(simulation.firstChangeMs).toBe(startMs + 3 * MINUTE_MS)
  expect(simulation.programmes.slice(0, 3)).toMatchObject([
    { videoId: a.id, isFixed: true, change: 'same' },
    { videoId: c.id, isFixed: false, change: 'moved', previousStartMs: startMs + 6 * MINUTE_MS },
    { videoId: fresh.id, change: 'new', previousStartMs: null },
  ])
  expect(simulation.dropped).toMatchObject([{ videoId: b.id, previousStartMs: startMs + 3 * MINUTE_MS }])
  expect(simulation.unplayable).toEqual([
    { videoId: dead.id, title: 'Gone', artistName: dead.artistName, reason: 'unavailable' },
  ])
  expect((await simulate(id)).sameArtistCount).toBeGreaterThan(0)
})

test('it fails with the errors of the change itself', async () => {
  const id = await station.channelPlaying('Refusing', [video(), video()])
  const call = (body: object) => station.request('POST', `/api/channels/${id}/simulate`, body)
  const [first] = await items(id)
  expect((await call({ order: [first!.id] })).status).toBe(409)
  expect((await call({ remove: [newId()] })).status).toBe(404)
  expect((await call({ add: { videoIds: [newId()] } })).status).toBe(404)
  expect((await call({ hours: 25 })).status).toBe(400)
  expect((await station.request('POST', '/api/channels/no-such/simulate', {})).status).toBe(404)
  for (const path of ['simulate', 'programmes/default.1.1/explanation'] as const) {
    const method = path === 'simulate' ? 'POST' : 'GET'
    const body = path === 'simulate' ? {} : undefined
    const url = `/api/channels/${id}/${path}`
    expect((await station.request(method, url, body, null)).status).toBe(401)
    expect((await station.request(method, url, body, station.user)).status).toBe(403)
  }
  // Moderators accept submissions onto channels and see the effect first.
  const url = `/api/channels/${id}/simulate`
  expect((await station.request('POST', url, {}, station.moderator)).status).toBe(200)
})

test('the explanation of a programme has its place in the cycle, its order, and the author of the change', async () => {
  const videos = Array.from({ length: 8 }, (_, index) => video({ artistName: `Band ${index % 4}` }))
  const id = await station.channelPlaying('Explained', videos)
  const why = async (index: number): Promise<ProgrammeExplanation> => {
    const programme = (await station.now(id)).programmes[index]!
    return station.must('GET', `/api/channels/${id}/programmes/${programme.id}/explanation`)
  }
  expect(await why(1)).toMatchObject({
    title: videos[1]!.title,
    artistBefore: 'Band 0',
    artistAfter: 'Band 2',
    source: 'playlist',
    playlistPosition: 1,
    positionInCycle: 2,
    order: 'playlist',
    seed: null,
    change: { kind: 'restart', actorId: station.admin.id, isExtension: false },
  })
  // A fixed seed gives the same shuffle in every run.
  await station.db.updateTable('channels').set({ seed: 'explained' }).where('id', '=', id).execute()
  await station.must('PATCH', `/api/channels/${id}`, { shuffleEnabled: true })
  const drawn = await why(1)
  expect(drawn).toMatchObject({ positionInCycle: 1, change: { kind: 'restart' } })
  expect(['shuffled', 'separated']).toContain(drawn.order)
  expect(drawn.seed).not.toBeNull()
  const fresh = video({ artistName: 'Band 9' })
  await station.addVideos([fresh])
  await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [fresh.id] })
  const { programmes } = await station.now(id)
  const index = programmes.findIndex((programme) => programme.videoId === fresh.id)
  expect(await why(index)).toMatchObject({ order: 'edited', change: { kind: 'edit' }, playlistPosition: 8 })
  await station.publish([
    'catalogue.video.updated.v1',
    videos[0]!.id,
    { video: { ...videos[0]!, durationMs: 4 * MINUTE_MS } },
  ])
  const last = (await station.now(id)).programmes.at(-1)!
  const later = await station.must('GET', `/api/channels/${id}/programmes/${last.id}/explanation`)
  expect(later.change).toMatchObject({ kind: 'edit', actorId: null })
  const replaced = `${id}.${last.seq}.0`
  expect(
    (await station.request('GET', `/api/channels/${id}/programmes/${replaced}/explanation`)).status,
  ).toBe(404)
})

describe('on a channel with a schedule', () => {
  const scheduleOf = (source: Source): ScheduleDocument => ({
    timeZone: 'UTC',
    freezeMinutes: 0,
    defaultSource: 'main',
    sources: { main: source, list: { kind: 'playlist' } },
    clocks: { hour: [{ source: 'main', count: 2 }] },
    blocks: [
      {
        id: 'all-day',
        name: 'All Day',
        days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        from: '00:00',
        to: '00:00',
        clock: 'hour',
      },
    ],
  })

  it('a simulation says how often the added videos air, and the change airs them as often', async () => {
    const videos = [video(), video(), video()]
    const id = await station.channelPlaying('Scheduled', videos)
    await station.publishSchedule(id, scheduleOf({ kind: 'playlist' }))
    const fresh = video()
    await station.addVideos([fresh])
    const add = { videoIds: [fresh.id] }
    const { schedule } = await simulate(id, { add })
    expect(schedule).toMatchObject({ usesPlaylist: true, airingsBefore: 0 })
    await station.must('POST', `/api/channels/${id}/playlist`, add)
    const aired = await station.db
      .selectFrom('programmes')
      .select('startsAtMs')
      .where('channelId', '=', id)
      .where('videoId', '=', fresh.id)
      .where('startsAtMs', '<', schedule?.plannedUntilMs ?? 0)
      .orderBy('startsAtMs')
      .execute()
    expect(schedule).toMatchObject({ airings: aired.length, firstAiringMs: aired[0]?.startsAtMs })
    expect(aired.length).toBeGreaterThan(100)
  })

  it('a simulation says that the schedule does not use the playlist', async () => {
    const chosen = video()
    const id = await station.channelPlaying('Elsewhere', [video(), chosen])
    const main: Source = { kind: 'video', videoId: chosen.id }
    await station.publishSchedule(id, { ...scheduleOf(main), sources: { main } })
    const fresh = video()
    await station.addVideos([fresh])
    const { schedule } = await simulate(id, { add: { videoIds: [fresh.id] } })
    expect(schedule).toMatchObject({
      usesPlaylist: false,
      airings: 0,
      airingsBefore: 0,
      firstAiringMs: null,
    })
    expect((await simulate('default')).schedule).toBeNull()
  })

  it('the explanation of a programme has its block, slot, source and version', async () => {
    const id = await station.channelPlaying('Reasons', [video(), video()])
    await station.publishSchedule(id, scheduleOf({ kind: 'playlist' }))
    const programme = (await station.now(id)).programmes.at(-1)!
    const why = await station.must('GET', `/api/channels/${id}/programmes/${programme.id}/explanation`)
    expect(why.schedule).toMatchObject({
      blockName: 'All Day',
      slot: 0,
      source: 'main',
      version: 1,
      relaxed: [],
    })
  })
})

test('videos can be added at a position', async () => {
  const [a, b, c] = [video(), video(), video()] as const
  const id = await station.channelPlaying('Placed', [a, b])
  await station.addVideos([c])
  const added = await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [c.id], position: 1 })
  expect(added.items).toMatchObject([{ videoId: c.id, position: 1 }])
  expect((await items(id)).map((item) => item.videoId)).toEqual([a.id, c.id, b.id])
})
