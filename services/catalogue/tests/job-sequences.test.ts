import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { JobRunner } from '../src/features/jobs/job-runner.ts'
import { type JobBench, openJobBench } from './_job-bench.ts'

const VIDEOS = 8
const BATCH = 3
const GENRES = ['Jazz', 'Pop', 'Rock'] as const

type Genre = string | null
type Action =
  | { do: 'edit'; videos: readonly number[]; genre: string }
  | { do: 'edit-one'; video: number; genre: string }
  | { do: 'step' }
  | { do: 'cancel' | 'undo'; job: number }

const video = fc.integer({ min: 0, max: VIDEOS - 1 })
const genre = fc.constantFrom(...GENRES)
const action = fc.oneof(
  fc.record({ do: fc.constant('edit' as const), videos: fc.uniqueArray(video, { minLength: 1 }), genre }),
  fc.record({ do: fc.constant('edit-one' as const), video, genre }),
  { arbitrary: fc.record({ do: fc.constant('step' as const) }), weight: 4 },
  fc.record({ do: fc.constantFrom('cancel' as const, 'undo' as const), job: fc.nat({ max: 5 }) }),
)

/** A job of the model. `left` is what it still has to do; `replaced` what an undo can restore. */
interface ModelJob {
  state: 'waiting' | 'running' | 'done' | 'cancelled'
  isCancelling: boolean
  left: number[]
  genre: string
  replaced: Map<number, { from: Genre; to: Genre }>
  undoes?: ModelJob
  changed: number
  failed: number
}

/** What jobs do to the genres of videos, one step at a time. */
class Model {
  readonly genres: Genre[] = Array.from({ length: VIDEOS }, () => null)
  readonly jobs: ModelJob[] = []

  add(left: readonly number[], to: string, undoes?: ModelJob): void {
    this.jobs.push({
      ...{ state: 'waiting', isCancelling: false, left: [...left].sort((a, b) => a - b), genre: to },
      ...{ replaced: new Map(), changed: 0, failed: 0, ...(undoes && { undoes }) },
    })
  }

  mayUndo(job: ModelJob): boolean {
    const isBeingUndone = this.jobs.some(
      ({ undoes, state }) => undoes === job && (state === 'waiting' || state === 'running'),
    )
    return (
      !job.undoes &&
      job.state !== 'waiting' &&
      job.state !== 'running' &&
      job.replaced.size > 0 &&
      !isBeingUndone
    )
  }

  cancel(job: ModelJob): void {
    if (job.state === 'waiting') job.state = 'cancelled'
    else if (job.state === 'running') job.isCancelling = true
  }

  step(): void {
    const job = this.jobs.find(({ state }) => state === 'waiting' || state === 'running')
    if (job === undefined) return
    if (job.state === 'waiting') job.state = 'running'
    else if (job.isCancelling) job.state = 'cancelled'
    else this.#batch(job)
  }

  #batch(job: ModelJob): void {
    const batch = job.left.splice(0, BATCH)
    for (const each of batch) {
      if (job.undoes) this.#undo(job, job.undoes, each)
      else if (this.genres[each] !== job.genre) {
        job.replaced.set(each, { from: this.genres[each] ?? null, to: job.genre })
        this.genres[each] = job.genre
        job.changed += 1
      }
    }
    // An undo finds out that nothing is left by a batch that is not full.
    const isLast = job.undoes ? batch.length < BATCH : job.left.length === 0
    if (isLast) job.state = 'done'
  }

  #undo(job: ModelJob, { replaced }: ModelJob, each: number): void {
    const entry = replaced.get(each)
    replaced.delete(each)
    if (entry?.to === this.genres[each]) {
      this.genres[each] = entry?.from ?? null
      job.changed += 1
    } else job.failed += 1
  }
}

let bench: JobBench
beforeAll(async () => {
  bench = await openJobBench()
})
afterAll(() => bench.close())

it('any order of edits, cancellations and undos leaves the videos and jobs as the model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      await bench.db.deleteFrom('videoJobs').execute()
      await bench.db.deleteFrom('videos').execute()
      await follow(actions)
    }),
    { numRuns: 30 },
  )
})

async function follow(actions: readonly Action[]): Promise<void> {
  const ids = await bench.addVideos(VIDEOS)
  const runner = new JobRunner({ ...bench, batchSize: BATCH })
  const model = new Model()
  const jobIds: string[] = []
  for (const each of actions) await act(each)
  while (await runner.step()) model.step()
  await compare()

  async function act(each: Action): Promise<void> {
    if (each.do === 'step') {
      await runner.step()
      model.step()
    } else if (each.do === 'edit') {
      const videos = each.videos.map((n) => ids[n] ?? '')
      jobIds.push((await bench.edit(videos, { genre: each.genre })).id)
      model.add(each.videos, each.genre)
    } else if (each.do === 'edit-one') {
      await bench.db
        .updateTable('videos')
        .set({ genre: each.genre })
        .where('id', '=', ids[each.video] ?? '')
        .execute()
      model.genres[each.video] = each.genre
    } else await actOnJob(each.do, each.job)
    await compare()
  }

  async function actOnJob(what: 'cancel' | 'undo', index: number): Promise<void> {
    const [job, id] = [model.jobs[index], jobIds[index]]
    if (job === undefined || id === undefined) return
    if (what === 'cancel') {
      await bench.jobs.cancel(id, {})
      model.cancel(job)
    } else if (model.mayUndo(job)) {
      jobIds.push((await bench.jobs.undo(id, {})).id)
      model.add([...job.replaced.keys()], '', job)
    } else await expect(bench.jobs.undo(id, {})).rejects.toMatchObject({ code: 'conflict' })
  }

  async function compare(): Promise<void> {
    expect((await bench.rows()).map((row) => row.genre)).toEqual(model.genres)
    const { items } = await bench.jobs.list(100, undefined)
    expect(items.toReversed().map(({ state, changed, failed }) => ({ state, changed, failed }))).toEqual(
      model.jobs.map(({ state, changed, failed }) => ({ state, changed, failed })),
    )
  }
}
