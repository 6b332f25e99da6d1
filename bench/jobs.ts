/**
 * Time of an edit of many videos and of its undo, from the request to the end of the job, and the videos that a job
 * changes after it was cancelled.
 *
 *   node bench/jobs.ts [videos …] [--json FILE]      default 20000
 */

import type { VideoJob } from '@looptide/contracts/http/video-jobs'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { adminToken, importVideos, onStation, signInAdmin } from './import/import-videos.ts'
import { type BenchRow, measureSizes, rounded } from './report.ts'

const LONGEST_WAIT_MS = 600_000

const measure = (videos: number): Promise<BenchRow> =>
  onStation(async (url) => {
    await importVideos(await signInAdmin(url), videos)
    const client = clientOf(url, await adminToken(url))
    const get = (id: string) => client.call('GET /api/videos/jobs/:id', { params: { id } })
    const ended = async ({ id }: VideoJob): Promise<VideoJob> => {
      await until('the job has ended', async () => (await get(id)).finishedAt !== null, {
        timeoutMs: LONGEST_WAIT_MS,
      })
      return get(id)
    }
    const fields = { artistName: 'The Bench', genre: 'Jazz', addTags: ['bench'] }
    const edit = () => client.call('POST /api/videos/jobs/edit', { body: { videos: { filter: {} }, fields } })
    const undo = (id: string) => client.call('POST /api/videos/jobs/:id/undo', { params: { id } })

    const startMs = performance.now()
    const edited = await ended(await edit())
    const editedMs = performance.now()
    await ended(await undo(edited.id))
    const undoneMs = performance.now()

    const cancelled = await edit()
    await until('it has begun', async () => (await get(cancelled.id)).done > 0)
    const { done } = await client.call('POST /api/videos/jobs/:id/cancel', { params: { id: cancelled.id } })
    const after = (await ended(cancelled)).done - done
    return {
      bench: 'jobs',
      input: { videos },
      figures: {
        editS: rounded((editedMs - startMs) / 1000, 1),
        undoS: rounded((undoneMs - editedMs) / 1000, 1),
        changed: edited.changed,
        afterCancel: after,
      },
    }
  })

await measureSizes([20_000], measure)
