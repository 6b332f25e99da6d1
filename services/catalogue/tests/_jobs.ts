import type { VideoJob } from '@looptide/contracts/http/video-jobs'
import { until } from '@looptide/testkit/until'
import type { CatalogueHarness } from './_harness.ts'

const isFinished = ({ state }: VideoJob): boolean => state !== 'waiting' && state !== 'running'

/** Waits until a job has ended. */
async function finished(catalogue: CatalogueHarness, id: string): Promise<VideoJob> {
  let job: VideoJob | undefined
  await until('the job has ended', async () => {
    job = (await catalogue.call('GET', `/api/videos/jobs/${id}`, { as: catalogue.admin })).body
    return job !== undefined && isFinished(job)
  })
  if (job === undefined) throw new Error('There is no such job.')
  return job
}

/** Starts a job as the admin, and waits until it has ended. */
export async function runJob(catalogue: CatalogueHarness, kind: string, body: object): Promise<VideoJob> {
  const started = await catalogue.call('POST', `/api/videos/jobs/${kind}`, { as: catalogue.admin, body })
  if (started.status !== 202) throw new Error(`${kind}: ${started.status} ${JSON.stringify(started.body)}`)
  return finished(catalogue, started.body.id)
}

/** Undoes a job as the admin, and waits until it is undone. */
export async function undoJob(catalogue: CatalogueHarness, { id }: Pick<VideoJob, 'id'>): Promise<VideoJob> {
  const undo = await catalogue.call('POST', `/api/videos/jobs/${id}/undo`, { as: catalogue.admin })
  if (undo.status !== 202) throw new Error(`undo: ${undo.status} ${JSON.stringify(undo.body)}`)
  return finished(catalogue, undo.body.id)
}
