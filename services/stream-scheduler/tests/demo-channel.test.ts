import { idFromName } from '@looptide/service-kit/db/ids'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntilPlanned } from '../src/demo/demo-channels.ts'
import { readDemoSchedule, seedNightAndDay } from '../src/demo/night-and-day.ts'
import { TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

describe('the programmed demo channel', () => {
  const id = 'night-and-day'
  const files = ['a.mp4', 'b.mp4']

  it('is started once, and plays music as soon as the demo videos arrive', async () => {
    const document = await readDemoSchedule(station.clock.nowMs)
    expect(await seedNightAndDay(station.db, files, document)).toEqual([id])
    expect(await seedNightAndDay(station.db, files, document)).toEqual([])
    await station.settle()
    expect(await waitUntilPlanned(station.db, [id], 1)).toBe(false)
    const clips = files.map((file) =>
      video({ id: idFromName(`demo:${file}`), durationMs: 50_000, isPublic: false }),
    )
    const library = (['Classics', 'Must Watch', 'New Video Submissions'] as const).flatMap((category) =>
      Array.from({ length: 12 }, (_, at) =>
        video({ category, genre: 'Soul', durationMs: 200_000 + at * 3000 }),
      ),
    )
    await station.addVideos([...clips, ...library])
    await station.settle()
    expect(await waitUntilPlanned(station.db, [id], 1)).toBe(true)
    const { programmes } = await station.must('GET', `/api/channels/${id}/guide?hours=26`)
    const videos = programmes.filter(({ kind }: { kind: string }) => kind === 'video')
    expect(videos.length).toBeGreaterThan(200)
  })

  it('keeps what admins have changed', async () => {
    await station.must('DELETE', `/api/channels/${id}/schedule`)
    await station.must('PATCH', `/api/channels/${id}`, { name: 'Ours' })
    expect(await seedNightAndDay(station.db, files, await readDemoSchedule(station.clock.nowMs))).toEqual([])
    expect(await station.must('GET', `/api/channels/${id}/schedule`)).toMatchObject({ version: 0 })
    const { items } = await station.must('GET', `/api/channels/${id}/schedule/versions`)
    expect(items).toMatchObject([{ version: 1, publishedBy: null, isCurrent: false }])
  })

  it('does not return when an admin has deleted it', async () => {
    await station.must('DELETE', `/api/channels/${id}`)
    expect(await seedNightAndDay(station.db, files, await readDemoSchedule(station.clock.nowMs))).toEqual([])
    expect(await station.db.selectFrom('channels').select('id').where('id', '=', id).execute()).toEqual([])
  })
})
