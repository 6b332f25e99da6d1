import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Envelope, EventType } from '@looptide/contracts/events'
import type { BulkFields } from '@looptide/contracts/http/video-edits'
import type { VideoJob } from '@looptide/contracts/http/video-jobs'
import { createDb } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { freshDatabase } from '@looptide/testkit/postgres'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { migrationFolder } from '../src/app.ts'
import type { CatalogueDb, Database, VideoRow } from '../src/db/schema.ts'
import { lockRunner } from '../src/features/jobs/job-repository.ts'
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
  /** Does the jobs in another process, and kills it within the batch after `done` videos. */
  killAfter(job: Pick<VideoJob, 'id'>, done: number): Promise<void>
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
    killAfter: (job, done) => killAfter(db, url, job.id, done),
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

const SCRIPT = fileURLToPath(new URL('_run-jobs.ts', import.meta.url))
/** Key of an advisory lock that nothing else uses. */
const WITHIN_BATCH = 7

/** The batch waits for a lock just before its end. */
async function killAfter(db: CatalogueDb, url: string, id: string, done: number): Promise<void> {
  await sql`
    create or replace function wait_within_batch() returns trigger language plpgsql as $$
    begin
      if new.id = ${sql.lit(id)} and new.done > ${sql.lit(done)} then perform pg_advisory_xact_lock(${sql.lit(WITHIN_BATCH)}); end if;
      return new;
    end $$`.execute(db)
  await sql`create trigger within_batch before update on video_jobs
    for each row execute function wait_within_batch()`.execute(db)
  await db.connection().execute(async (holder) => {
    await sql`select pg_advisory_lock(${WITHIN_BATCH})`.execute(holder)
    const child = spawn(process.execPath, [SCRIPT, url], { stdio: 'ignore' })
    try {
      await until('the process is within the batch', async () => {
        const { rows } = await sql`
          select from pg_locks where locktype = 'advisory' and objid = ${WITHIN_BATCH} and not granted
            and database = (select oid from pg_database where datname = current_database())`.execute(db)
        return rows.length > 0
      })
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
      await sql`select pg_advisory_unlock(${WITHIN_BATCH})`.execute(holder)
    }
  })
  // Postgres notices the end of a client at its next statement.
  await until('its batch has ended', () => db.transaction().execute(lockRunner))
  await sql`drop trigger within_batch on video_jobs`.execute(db)
  const job = await db
    .selectFrom('videoJobs')
    .select(['state', 'done'])
    .where('id', '=', id)
    .executeTakeFirst()
  expect(job).toEqual({ state: 'running', done })
}
