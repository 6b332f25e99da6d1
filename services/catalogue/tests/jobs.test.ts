import { JOB_BATCH, type VideoJob } from '@looptide/contracts/http/video-jobs'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pruneJobs } from '../src/features/jobs/job-repository.ts'
import { JobRunner } from '../src/features/jobs/job-runner.ts'
import { pruneEdits } from '../src/features/video-edits/bulk-edit-repository.ts'
import { type JobBench, openJobBench } from './_job-bench.ts'

let bench: JobBench
let nowMs: number
let runner: JobRunner

beforeEach(async () => {
  bench = await openJobBench()
  nowMs = Date.now()
  runner = new JobRunner({ ...bench, now: () => nowMs })
})
afterEach(() => bench.close())

const steps = async (count: number): Promise<void> => {
  for (let step = 0; step < count; step += 1) await runner.step()
}
const genres = async () => (await bench.rows()).map(({ genre }) => genre)
const counts = ({ state, total, done, failed, changed }: VideoJob) => ({
  state,
  total,
  done,
  failed,
  changed,
})

it('one job runs at a time, and the next one waits', async () => {
  const ids = await bench.addVideos(700)
  const first = await bench.edit(ids, { genre: 'First' })
  const second = await bench.edit(ids, { genre: 'Second' })
  // Its start, and the first of two batches.
  await steps(2)
  expect(counts(await bench.jobs.get(first.id))).toEqual({
    ...{ state: 'running', total: 700, done: JOB_BATCH, failed: 0, changed: JOB_BATCH },
  })
  expect(await bench.jobs.get(second.id)).toMatchObject({ state: 'waiting', done: 0, startedAt: null })
  await bench.runAll(runner)
  expect(await genres()).toEqual(ids.map(() => 'Second'))
  const { items } = await bench.jobs.list(10, undefined)
  expect(items.map(({ id, state }) => [id, state])).toEqual([
    [second.id, 'done'],
    [first.id, 'done'],
  ])
})

it('a second process does nothing while one is within a batch', async () => {
  await bench.edit(await bench.addVideos(3), { genre: 'Jazz' })
  await bench.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('catalogue.video_jobs'))`.execute(trx)
    expect(await runner.step()).toBe(false)
  })
  await bench.runAll(runner)
  expect(await genres()).toEqual(['Jazz', 'Jazz', 'Jazz'])
})

it('a cancelled job stops after the batch that is under way, and what it changed can be undone', async () => {
  const ids = await bench.addVideos(1700)
  const before = await bench.rows()
  const { id } = await bench.edit(ids, { genre: 'Jazz', addTags: ['live'] })
  await steps(3)
  expect(await bench.jobs.cancel(id, {})).toMatchObject({
    state: 'running',
    isCancelling: true,
    canCancel: false,
  })
  await bench.runAll(runner)
  const cancelled = await bench.jobs.get(id)
  expect(counts(cancelled)).toEqual({ state: 'cancelled', total: 1700, done: 1000, failed: 0, changed: 1000 })
  expect((await genres()).filter((genre) => genre === 'Jazz')).toHaveLength(1000)
  expect(cancelled.canUndo).toBe(true)

  const undo = await bench.jobs.undo(id, {})
  expect(undo).toMatchObject({ kind: 'undo', undoes: id, undoesKind: 'edit', total: 1000 })
  expect(await bench.jobs.get(id)).toMatchObject({ canUndo: false, undoneBy: undo.id })
  await bench.runAll(runner)
  expect(await bench.rows()).toEqual(before)
  expect(await bench.jobs.get(id)).toMatchObject({ canUndo: false, undoneBy: undo.id })
})

it('a waiting job is cancelled at once', async () => {
  const { id } = await bench.edit(await bench.addVideos(3), { genre: 'Jazz' })
  expect(await bench.jobs.cancel(id, {})).toMatchObject({ state: 'cancelled', done: 0, canUndo: false })
  expect(await runner.step()).toBe(false)
  expect(await genres()).toEqual([null, null, null])
})

it('an undo that was cancelled is continued by another one', async () => {
  const ids = await bench.addVideos(1200)
  const before = await bench.rows()
  const { id } = await bench.edit(ids, { genre: 'Jazz' })
  await bench.runAll(runner)
  const undo = await bench.jobs.undo(id, {})
  await expect(bench.jobs.undo(id, {})).rejects.toMatchObject({ code: 'conflict' })
  await steps(2)
  await bench.jobs.cancel(undo.id, {})
  await bench.runAll(runner)
  expect(counts(await bench.jobs.get(undo.id))).toMatchObject({ state: 'cancelled', changed: 500 })
  expect((await bench.jobs.undo(id, {})).total).toBe(700)
  await bench.runAll(runner)
  expect(await bench.rows()).toEqual(before)
})

it('counts videos that are gone or were changed since as failed, and leaves them', async () => {
  const ids = await bench.addVideos(6)
  const [deleted = '', changed = '', later = '', ...others] = ids
  await bench.db.deleteFrom('videos').where('id', '=', deleted).execute()
  const { id } = await bench.edit(ids, { genre: 'Jazz' })
  await bench.runAll(runner)
  expect(counts(await bench.jobs.get(id))).toEqual({
    state: 'done',
    total: 6,
    done: 5,
    failed: 1,
    changed: 5,
  })
  await bench.db.updateTable('videos').set({ genre: 'Rock' }).where('id', '=', changed).execute()
  const undo = await bench.jobs.undo(id, {})
  await bench.db.deleteFrom('videos').where('id', '=', later).execute()
  await bench.runAll(runner)
  expect(counts(await bench.jobs.get(undo.id))).toEqual({
    ...{ state: 'done', total: 5, done: 3, failed: 2, changed: 3 },
  })
  expect(await genres()).toEqual(['Rock', ...others.map(() => null)])
})

it('publishes progress at most once a second, the changes in events of at most 500 videos, and one audit entry', async () => {
  const ids = await bench.addVideos(2600)
  const { id, createdAt } = await bench.edit(ids, { genre: 'Jazz' })
  nowMs = Date.parse(createdAt)
  await steps(3)
  const progress = async () => (await bench.events('catalogue.job.changed.v1')).map(({ job }) => job.done)
  expect(await progress()).toEqual([0])
  nowMs += 1100
  await steps(2)
  expect(await progress()).toEqual([0, 1500])
  await bench.runAll(runner)
  expect(await progress()).toEqual([0, 1500, 2600])
  const lists = (await bench.events('catalogue.videos.updated.v1')).map(({ videos }) => videos)
  expect(lists.every((videos) => videos.length <= 500)).toBe(true)
  expect(lists.flatMap((videos) => videos.map((video) => video.id)).sort()).toEqual(ids)
  const audit = await bench.events('catalogue.audit.recorded.v1')
  expect(audit).toEqual([
    expect.objectContaining({
      action: 'video.edit_many',
      after: { genre: 'Jazz' },
      details: expect.objectContaining({
        jobId: id,
        count: 2600,
        total: 2600,
        startedAt: expect.any(String),
      }),
    }),
  ])
})

it('a job whose batch fails again and again has failed, and the next one runs', async () => {
  const ids = await bench.addVideos(3)
  const broken = await bench.edit(ids, { genre: 'Jazz' })
  const next = await bench.edit(ids, { genre: 'Pop' })
  await sql`update video_jobs set change = '{"fields":{"genre":1}}' where id = ${broken.id}`.execute(bench.db)
  await steps(1)
  for (let attempt = 0; attempt < 5; attempt += 1) await expect(runner.step()).rejects.toThrow()
  expect(await bench.jobs.get(broken.id)).toMatchObject({ state: 'failed', canUndo: false })
  await bench.runAll(runner)
  expect(await bench.jobs.get(next.id)).toMatchObject({ state: 'done', changed: 3 })
})

it('a job is listed and can be undone for a day, and is then deleted with what it replaced', async () => {
  const { id } = await bench.edit(await bench.addVideos(2), { genre: 'Jazz' })
  await bench.runAll(runner)
  const age = async (hours: number) => {
    await sql`update video_jobs set finished_at = now() - make_interval(hours => ${hours})`.execute(bench.db)
    await sql`update video_edits set edited_at = now() - make_interval(hours => ${hours})`.execute(bench.db)
    await pruneJobs(bench.db)
    await pruneEdits(bench.db, new AbortController().signal)
    return (await sql`select from video_edits`.execute(bench.db)).rows.length
  }
  expect(await age(23)).toBe(2)
  expect((await bench.jobs.get(id)).canUndo).toBe(true)
  expect(await age(25)).toBe(0)
  await expect(bench.jobs.undo(id, {})).rejects.toMatchObject({ code: 'not_found' })
  expect((await bench.jobs.list(10, undefined)).items).toEqual([])
})

describe('a process that is killed in the middle', () => {
  it('has changed each video exactly once when another one has continued, and the undo is exact', async () => {
    const ids = await bench.addVideos(3000)
    const before = await bench.rows()
    // Applied twice it would be visible: the text occurs in its replacement.
    const { id } = await bench.edit(ids, {
      replaceInTitle: { text: 'Video', with: 'A Video' },
      artistName: 'One',
    })
    await bench.killAfter({ id }, 500)
    await bench.killAfter({ id }, 1500)
    await bench.runAll(runner)
    expect(counts(await bench.jobs.get(id))).toEqual({
      ...{ state: 'done', total: 3000, done: 3000, failed: 0, changed: 3000 },
    })
    expect((await bench.rows()).map(({ title }) => title)).toEqual(before.map(({ title }) => `A ${title}`))
    const published = (await bench.events('catalogue.videos.updated.v1')).flatMap(({ videos }) => videos)
    expect(published.map((video) => video.id).sort()).toEqual(ids)

    const undo = await bench.jobs.undo(id, {})
    await bench.killAfter(undo, 1000)
    await bench.runAll(runner)
    expect(counts(await bench.jobs.get(undo.id))).toEqual({
      ...{ state: 'done', total: 3000, done: 3000, failed: 0, changed: 3000 },
    })
    expect(await bench.rows()).toEqual(before)
    const { rows } = await sql<{ artists: number; ones: number }>`
      select count(*) filter (where video_count > 0) as artists, max(video_count) filter (where name = 'One') as ones
      from artists`.execute(bench.db)
    expect(rows).toEqual([{ artists: 7, ones: 0 }])
  })
})
