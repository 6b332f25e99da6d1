import type { PublishedVideo } from '@looptide/contracts/events/catalogue'
import type { Video } from '@looptide/contracts/http/videos'
import { playedMs, playedRange } from '@looptide/playhead/trim'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillTagsAndTrim, upsertVideos } from '../src/library/video-repository.ts'
import { createSchedulerDatabase, MINUTE_MS, TestScheduler, video } from './_harness.ts'

describe('the projection of videos', () => {
  let database: Awaited<ReturnType<typeof createSchedulerDatabase>>
  beforeAll(async () => {
    database = await createSchedulerDatabase()
  })
  afterAll(() => database.drop())

  const upsert = (given: PublishedVideo, version: number) =>
    database.db.transaction().execute((trx) => upsertVideos(trx, [given], version))
  const fill = (given: Video) => database.db.transaction().execute((trx) => fillTagsAndTrim(trx, [given]))
  const stored = (id: string) =>
    database.db
      .selectFrom('videos')
      .select(['version', 'category', 'tags', 'viewCount', 'startAtMs', 'endAtMs'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  it('computes in SQL the part that players play', async () => {
    const media = fc.record({
      durationMs: fc.integer({ min: 1, max: 20_000 }),
      startAtMs: fc.nat(25_000),
      endAtMs: fc.option(fc.nat(25_000)),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(media, { minLength: 20, maxLength: 20 }), async (all) => {
        const { rows } = await sql<{ ms: number; fromMs: number }>`
          select played_ms(m."durationMs", m."startAtMs", m."endAtMs") as ms,
            played_from_ms(m."durationMs", m."startAtMs", m."endAtMs") as from_ms
          from jsonb_to_recordset(${JSON.stringify(all)}::jsonb)
            as m ("durationMs" integer, "startAtMs" integer, "endAtMs" integer)`.execute(database.db)
        expect(rows.map(({ ms }) => ms)).toEqual(all.map(playedMs))
        expect(rows.map(({ fromMs }) => fromMs)).toEqual(all.map((each) => playedRange(each).fromMs))
      }),
    )
  })

  it('stores tags, category, view count and trim points of an event', async () => {
    const facts = {
      category: 'Classics',
      tags: ['Rock', '90s'],
      viewCount: 7,
      startAtMs: 4000,
      endAtMs: 9000,
    }
    const given = video(facts)
    await upsert(given, 1)
    expect(await stored(given.id)).toEqual({ version: 1, ...facts })
  })

  it.each([
    ['tags', { tags: ['new'] }],
    ['the category', { category: 'Must Watch' }],
    ['the start', { startAtMs: 1 }],
    ['the end', { endAtMs: 60_000 }],
  ])('has a new version when %s changes', async (_what, change) => {
    const given = video()
    await upsert(given, 1)
    expect(await upsert({ ...given, ...change }, 2)).toEqual([given.id])
    expect((await stored(given.id)).version).toBe(2)
  })

  it('keeps its version when only views are counted', async () => {
    const given = video()
    await upsert(given, 1)
    expect(await upsert({ ...given, viewCount: 5 }, 2)).toEqual([])
    expect(await stored(given.id)).toMatchObject({ version: 1, viewCount: 5 })
  })

  it('accepts an event of a release without tags and trim points', async () => {
    const { tags: _tags, startAtMs: _start, endAtMs: _end, ...given } = video()
    await upsert(given, 1)
    expect(await stored(given.id)).toMatchObject({ tags: [], startAtMs: 0, endAtMs: null })
  })

  it('is filled from the catalogue’s list where no event has set anything', async () => {
    const [plain, trimmed, changed] = [video(), video(), video({ tags: ['event'] })]
    for (const given of [plain, trimmed, changed]) await upsert(given, 1)
    expect(await fill({ ...plain, category: 'Classics', tags: ['list'] })).toEqual([])
    expect(await fill({ ...trimmed, startAtMs: 3000 })).toEqual([trimmed.id])
    expect(await fill({ ...changed, tags: ['list'] })).toEqual([])
    expect(await stored(plain.id)).toMatchObject({ version: 1, category: 'Classics', tags: ['list'] })
    expect(await stored(trimmed.id)).toMatchObject({ version: 2, startAtMs: 3000 })
    expect(await stored(changed.id)).toMatchObject({ version: 1, tags: ['event'] })
  })
})

describe('a channel with trimmed videos', () => {
  let station: TestScheduler
  beforeAll(async () => {
    station = await TestScheduler.start()
  })
  afterAll(() => station.stop())

  const timeline = async (id: string) => {
    const { programmes } = await station.now(id)
    return programmes.map(({ startsAtMs, endsAtMs, video: shown }) => ({
      ms: endsAtMs - startsAtMs,
      title: shown?.title,
      played: [shown?.startAtMs, shown?.durationMs, shown?.duration],
    }))
  }

  it('plans and shows the played part, and follows changes of the trim points', async () => {
    const whole = video({ title: 'Whole' })
    const trimmed = video({ title: 'Trimmed', startAtMs: 10_000, endAtMs: 70_000 })
    const id = await station.channelPlaying('Trimmed', [whole, trimmed])
    expect((await timeline(id)).slice(0, 2)).toEqual([
      { ms: 3 * MINUTE_MS, title: 'Whole', played: [0, 3 * MINUTE_MS, '3:00'] },
      { ms: MINUTE_MS, title: 'Trimmed', played: [10_000, MINUTE_MS, '1:00'] },
    ])
    await station.publish([
      'catalogue.video.updated.v1',
      trimmed.id,
      { video: { ...trimmed, startAtMs: 40_000 } },
    ])
    expect((await timeline(id))[1]).toEqual({
      ms: 30_000,
      title: 'Trimmed',
      played: [40_000, 30_000, '0:30'],
    })
  })

  it('keeps the position of a programme on the air when its trim points move', async () => {
    const song = video({ title: 'Song', startAtMs: 20_000 })
    const id = await station.channelPlaying('Moved', [song])
    const startsOfFirst = async () => {
      const { programmes } = await station.now(id)
      return programmes.slice(0, 2).map(({ video: shown }) => shown?.startAtMs)
    }
    expect(await startsOfFirst()).toEqual([20_000, 20_000])
    for (const startAtMs of [60_000, 5000]) {
      await station.advance(5000)
      await station.publish(['catalogue.video.updated.v1', song.id, { video: { ...song, startAtMs } }])
      expect(await startsOfFirst()).toEqual([20_000, startAtMs])
    }
  })

  it('plays the last second of media that turn out to end before the start', async () => {
    const short = video({ startAtMs: 100_000, endAtMs: 110_000, durationMs: 90_000 })
    // A loop of one second would be planned 90,000 times.
    const long = video({ durationMs: 60 * MINUTE_MS })
    const id = await station.channelPlaying('Short', [short, long])
    expect((await timeline(id))[0]).toMatchObject({ ms: 1000, played: [89_000, 1000, '0:01'] })
  })

  it('plays from the library what is long only without its trim points', async () => {
    const hour = { durationMs: 60 * MINUTE_MS, endAtMs: 61_000, startAtMs: 1000 }
    await station.addVideos([video({ title: 'Cut to a minute', ...hour }), video()])
    await station.must('POST', '/api/channels/default/stream', { action: 'start' })
    await station.first.runOnce()
    expect(await timeline('default')).toContainEqual({
      ms: MINUTE_MS,
      title: 'Cut to a minute',
      played: [1000, MINUTE_MS, '1:00'],
    })
  })
})
