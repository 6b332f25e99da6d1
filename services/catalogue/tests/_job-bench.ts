import type { Envelope, EventType } from '@looptide/contracts/events'
import type { BulkFields } from '@looptide/contracts/http/video-edits'
import type { VideoJob } from '@looptide/contracts/http/video-jobs'
import { createDb } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { freshDatabase } from '@looptide/testkit/postgres'
import { sql } from 'kysely'
import { migrationFolder } from '../src/app.ts'
import type { CatalogueDb, Database, VideoRow } from '../src/db/schema.ts'
import type { JobRunner } from '../src/features/jobs/job-runner.ts'
import { JobService } from '../src/features/jobs/job-service.ts'
import { insertVideos } from '../src/features/videos/video-repository.ts'
import { someVideos } from './_videos.ts'

/** A database with videos and jobs, without a service: a test does each step of the jobs itself. */
export interface JobBench {
  db: CatalogueDb
  url: string
  jobs: JobService
  logger: ReturnType<typeof createLogger>
  /** Adds videos and returns their ids in the order of a job. */
  addVideos(count: number): Promise<string[]>
  edit(ids: readonly string[], fields: BulkFields): Promise<VideoJob>
  /** Does all steps of all jobs. */
  runAll(runner: JobRunner): Promise<void>
  rows(): Promise<VideoRow[]>
  events<T extends EventType>(type: T): Promise<Envelope<T>['data'][]>
  close(): Promise<void>
}

export async function openJobBench(): Promise<JobBench> {
  const database = await freshDatabase(undefined, { owner: 'catalogue', migrations: migrationFolder })
  const url = database.urlFor('catalogue')
  const logger = createLogger('test', 'silent')
  const db = createDb<Database>(url, logger, 4)
  const jobs = new JobService(db, () => undefined)
  return {
    db,
    url,
    jobs,
    logger,
    addVideos: async (count) => {
      const ids: string[] = []
      for (let left = count; left > 0; left -= 1000) {
        const added = await insertVideos(db, someVideos(Math.min(left, 1000)))
        ids.push(...added.map(({ id }) => id))
      }
      return ids.sort()
    },
    edit: (ids, fields) => jobs.start('edit', [...ids].sort(), { fields }, {}),
    runAll: async (runner) => {
      while (await runner.step());
    },
    rows: () => db.selectFrom('videos').selectAll().orderBy('id').execute(),
    events: async (type) => {
      const { rows } = await sql<{ data: Envelope<typeof type>['data'] }>`
        select data from outbox where type = ${type} order by seq`.execute(db)
      return rows.map(({ data }) => data)
    },
    close: async () => {
      await db.destroy()
      await database.drop()
    },
  }
}
