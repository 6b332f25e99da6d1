import { JOB_BATCH, type VideoJob } from '@looptide/contracts/http/video-jobs'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DeletedVideoService } from '../src/features/deleted-videos/deleted-video-service.ts'
import { JobRunner } from '../src/features/jobs/job-runner.ts'
import { sendDueReminders } from '../src/features/metadata/reminder-task.ts'
import { SubmissionService } from '../src/features/submissions/submission-service.ts'
import { submitVideos } from '../src/features/submissions/submit-videos.ts'
import { newVideos } from '../src/features/videos/new-videos.ts'
import { parseVideoLine } from '../src/features/videos/video-url.ts'
import { type JobBench, openJobBench } from './_job-bench.ts'

let bench: JobBench
let runner: JobRunner
const USER = '0193a000-0000-7000-8000-00000000000a'

beforeEach(async () => {
  bench = await openJobBench()
  runner = new JobRunner(bench)
})
afterEach(() => bench.close())

const rowsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({
    url: `https://youtu.be/i${String(from + n).padStart(10, '0')}`,
    artistName: `Artist ${n % 7}`,
  }))
const startImport = (rows: { url: string }[]) => bench.jobs.startImport({ rows }, { actorId: USER })
const youtubeIds = async () => (await bench.rows()).map(({ youtubeId }) => youtubeId)
const counts = ({ state, total, done, failed, changed }: VideoJob) => ({
  state,
  total,
  done,
  failed,
  changed,
})
const ended = async ({ id }: VideoJob) => {
  await bench.runAll(runner)
  return bench.jobs.get(id)
}

it('adds a video per row, asks for their metadata, and tells rows without a video from known ones', async () => {
  await ended(await startImport(rowsOf(2)))
  const rows = [...rowsOf(1200), { url: 'https://youtu.be/i0000000001' }, { url: 'not a video' }]
  const job = await ended(await startImport(rows))
  expect(counts(job)).toEqual({ state: 'done', total: 1202, done: 1201, failed: 1, changed: 1198 })
  expect(await bench.rows()).toHaveLength(1200)
  expect((await bench.rows()).every(({ userId }) => userId === USER)).toBe(true)
  const added = (await bench.events('catalogue.videos.added.v1')).flatMap(({ videos }) => videos)
  expect(new Set(added.map(({ youtubeId }) => youtubeId)).size).toBe(1198)
  // Metadata of a large import is requested when it has ended.
  await sql`update videos set created_at = created_at - interval '1 hour'`.execute(bench.db)
  await sendDueReminders(bench.db)
  const requested = (await bench.events('catalogue.metadata.requested.v1')).flatMap(
    (event) => event.youtubeIds,
  )
  expect(requested).toHaveLength(1200)
  expect((await bench.events('catalogue.audit.recorded.v1')).at(-1)).toMatchObject({
    action: 'video.add',
    after: expect.arrayContaining([expect.objectContaining({ category: 'New Video Submissions' })]),
    details: { jobId: job.id, count: 1198, total: 1202, failed: 1 },
  })
})

it('its undo removes what it has added, and nothing else', async () => {
  await ended(await startImport(rowsOf(3)))
  const before = await bench.rows()
  const job = await ended(await startImport(rowsOf(1200)))
  const undo = await bench.jobs.undo(job.id, {})
  expect(undo).toMatchObject({ undoesKind: 'import', total: 1197 })
  expect(counts(await ended(undo))).toEqual({
    ...{ state: 'done', total: 1197, done: 1197, failed: 0, changed: 1197 },
  })
  expect(await bench.rows()).toEqual(before)
  expect(await bench.jobs.get(job.id)).toMatchObject({ canUndo: false, undoneBy: undo.id })
})

it('stops within a batch when it is cancelled, and what it has added can be undone', async () => {
  const job = await startImport(rowsOf(1700))
  await runner.step()
  await runner.step()
  await bench.jobs.cancel(job.id, {})
  const cancelled = await ended(job)
  expect(counts(cancelled)).toEqual({
    ...{ state: 'cancelled', total: 1700, done: JOB_BATCH, failed: 0, changed: JOB_BATCH },
  })
  expect(await bench.rows()).toHaveLength(JOB_BATCH)
  await ended(await bench.jobs.undo(job.id, {}))
  expect(await bench.rows()).toEqual([])
})

it('accepts videos under review and restores deleted ones, which its undo deletes', async () => {
  const [submitted, deleted, fresh] = rowsOf(3)
  await ended(await startImport([deleted!]))
  await new DeletedVideoService(bench.db).delete(
    (await bench.rows()).map(({ id }) => id),
    {},
  )
  await submit(submitted!.url)
  expect(await bench.rows()).toMatchObject([{ reviewState: 'submitted' }])
  const job = await ended(await startImport([submitted!, deleted!, fresh!]))
  expect(counts(job)).toMatchObject({ done: 3, failed: 0, changed: 3 })
  expect((await youtubeIds()).sort()).toEqual(['i0000000000', 'i0000000001', 'i0000000002'])
  expect((await bench.rows()).every(({ reviewState, isPublic }) => reviewState === null && isPublic)).toBe(
    true,
  )
  await ended(await bench.jobs.undo(job.id, {}))
  expect(await bench.rows()).toEqual([])
  expect((await new DeletedVideoService(bench.db).list(10, undefined)).total).toBe(3)
})

async function submit(url: string): Promise<void> {
  const adder = { id: USER, role: 'user' as const }
  const parsed = [parseVideoLine(url, false)]
  const candidates = newVideos(parsed, [{ url }], adder, Date.now())
  const options = { limits: { perHour: 10, undecided: 10 }, nowMs: Date.now() }
  await bench.db.transaction().execute((trx) => submitVideos(trx, { candidates, parsed }, USER, options, {}))
  expect((await new SubmissionService(bench.db).list('submitted', 10, undefined)).total).toBe(1)
}

it('is refused for trim points that leave less than a second', async () => {
  const [row] = rowsOf(1)
  const rows = [{ ...row!, startAtMs: 5000, endAtMs: 5500 }]
  await expect(bench.jobs.startImport({ rows }, {})).rejects.toMatchObject({ code: 'validation_failed' })
})

it('a restoration is undone: what it has restored is deleted again', async () => {
  const ids = await bench.addVideos(700)
  const kept = ids.slice(600)
  await ended(await bench.jobs.start('delete', ids.slice(0, 600), {}, {}))
  const restored = await ended(await bench.jobs.start('restore', ids.slice(0, 550), {}, {}))
  expect(restored).toMatchObject({ changed: 550, canUndo: true })
  const undo = await ended(await bench.jobs.undo(restored.id, {}))
  expect(counts(undo)).toEqual({ state: 'done', total: 550, done: 550, failed: 0, changed: 550 })
  expect((await bench.rows()).map(({ id }) => id)).toEqual(kept)
})

it('a process that is killed in the middle has imported each row once when another one has continued', async () => {
  const job = await startImport(rowsOf(2000))
  await bench.killAfter(job, 1000)
  expect(counts(await ended(job))).toEqual({
    ...{ state: 'done', total: 2000, done: 2000, failed: 0, changed: 2000 },
  })
  const added = (await bench.events('catalogue.videos.added.v1')).flatMap(({ videos }) => videos)
  expect(added).toHaveLength(2000)
  await ended(await bench.jobs.undo(job.id, {}))
  expect(await bench.rows()).toEqual([])
})
