import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createDb } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { eventKeyEnv } from '@looptide/testkit/event-keys'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { Database } from '../src/db/schema.ts'
import { pruneReplicas } from '../src/timeline/replica-repository.ts'
import { lockChannel } from '../src/timeline/timeline-repository.ts'
import { TestScheduler, video } from './_harness.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
let station: TestScheduler
const children: ChildProcess[] = []
/** A replica's process starts within this time also beside other tests. */
const PROCESS_START = { timeoutMs: 30_000 }
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await station.stop()
})

/** A replica in a process of its own, with the machine's clock. */
function spawnReplica(): ChildProcess {
  const { config } = station
  const child = spawn(process.execPath, [MAIN], {
    stdio: 'ignore',
    env: {
      PORT: '0',
      LOG_LEVEL: 'silent',
      NATS_URL: config.natsUrl,
      ...eventKeyEnv('stream-scheduler'),
      DATABASE_URL: config.databaseUrl,
      AUTH_URL: config.authUrl,
      CATALOGUE_URL: config.catalogueUrl,
      ADMIN_AUDIT_URL: config.adminAuditUrl,
      INTERNAL_TOKEN: config.internalToken,
    },
  })
  children.push(child)
  return child
}

/** The leaders of the channels on the air. The default channel is not on the air in these tests. */
const leaders = async (): Promise<string[]> => {
  const onAir = station.db.selectFrom('channels').select('leader').where('status', '=', 'live').orderBy('id')
  return (await onAir.execute()).map((row) => row.leader ?? '')
}
const replicas = async (): Promise<string[]> =>
  (await station.db.selectFrom('replicas').select('id').orderBy('id').execute()).map((row) => row.id)
const timelineEnds = async (): Promise<number> =>
  (
    await station.db
      .selectFrom('channels')
      .select((select) => select.fn.min<number>('endsAtMs').as('ends'))
      .executeTakeFirstOrThrow()
  ).ends ?? 0

/** Shortens the timelines to 30 programmes, as if more than a day had passed. */
async function shorten(): Promise<void> {
  await station.db.transaction().execute(async (trx) => {
    await sql`delete from programmes p using (
      select channel_id, min(seq) + 30 as seq from programmes group by channel_id) keep
      where p.channel_id = keep.channel_id and p.seq >= keep.seq`.execute(trx)
    await sql`update channels c set next_seq = last.seq + 1, ends_at_ms = last.ends from (
      select channel_id, max(seq) as seq, max(ends_at_ms) as ends from programmes group by channel_id) last
      where c.id = last.channel_id`.execute(trx)
  })
}

test('channels are distributed, taken over after kill -9, and not changed by a suspended leader that resumes', async () => {
  station = await TestScheduler.start()
  station.clock.nowMs = Date.now()
  for (const name of ['One', 'Two', 'Three', 'Four']) await station.channelPlaying(name, [video(), video()])
  const [own] = await replicas()
  const child = spawnReplica()
  await until(
    'both replicas lead two channels',
    async () => {
      const led = await leaders()
      return (
        led.filter((id) => id === own).length === 2 &&
        led.filter((id) => id !== own && id !== '').length === 2
      )
    },
    PROCESS_START,
  )

  child.kill('SIGKILL')
  await until('the survivor leads all', async () => (await leaders()).every((id) => id === own))

  const suspended = spawnReplica()
  await until(
    'a new replica receives its share',
    async () => (await leaders()).some((id) => id !== own),
    PROCESS_START,
  )
  suspended.kill('SIGSTOP')
  await until('the suspended replica has lost its channels', async () =>
    (await leaders()).every((id) => id === own),
  )
  await shorten()
  station.clock.nowMs = Date.now()
  await until('the survivor has extended the timelines', async () => {
    await station.first.runOnce()
    return (await timelineEnds()) > Date.now() + 37 * 3_600_000
  })
  const before = await station.now('one')
  await station.must('DELETE', `/api/channels/one/playlist/${(await items('one'))[1]}`)
  suspended.kill('SIGCONT')
  await until('the resumed replica leads channels again', async () =>
    (await leaders()).some((id) => id !== own),
  )
  const after = await station.now('one')
  expect(after.programmes[0]).toEqual(before.programmes[0])
  expect(after.timelineVersion).toBe(before.timelineVersion + 1)
})

test('a process suspended during a change loses its lock, and the channel continues', async () => {
  station = await TestScheduler.start()
  const id = await station.channelPlaying('Held', [video(), video()])
  const silent = createDb<Database>(station.config.databaseUrl, createLogger('test', 'silent'), 1)
  const held = silent.transaction().execute(async (trx) => {
    await lockChannel(trx, id)
    await station.must('PATCH', `/api/channels/${id}`, { shuffleEnabled: true })
    await lockChannel(trx, id)
  })
  await expect(held).rejects.toThrow()
  const { items: all } = await station.must('GET', '/api/channels')
  expect(all.find((channel: { id: string }) => channel.id === id)).toMatchObject({ shuffleEnabled: true })
  await silent.destroy()
})

const items = async (id: string): Promise<string[]> =>
  (await station.must('GET', `/api/channels/${id}/playlist`)).items.map((item: { id: string }) => item.id)

test('two replicas working at the same time log each programme once and extend without errors', async () => {
  station = await TestScheduler.start({ replicas: 2 })
  const ids = [
    await station.channelPlaying('A', [video(), video()]),
    await station.channelPlaying('B', [video()]),
  ]
  for (let step = 0; step < 20; step += 1) {
    station.clock.advance(25 * 60_000)
    await sql`update channels set leader = null`.execute(station.db)
    await Promise.all(station.replicas.map((replica) => replica.runOnce()))
  }
  for (const id of ids) {
    const rows = await station.db
      .selectFrom('airLog')
      .selectAll()
      .where('channelId', '=', id)
      .orderBy('seq')
      .execute()
    expect(rows.length).toBeGreaterThanOrEqual(160)
    expect(rows.slice(1).every((row, index) => row.startedAtMs === rows[index]!.endedAtMs)).toBe(true)
  }
  const dead = await station.db.selectFrom('deadLetters').selectAll().execute()
  expect(dead).toEqual([])
})

test('a pass requested while another one runs does all due work', async () => {
  station = await TestScheduler.start()
  await station.channelPlaying('Busy', [video(), video()])
  const [own] = await replicas()
  let asked: Promise<void> | undefined
  await station.db.transaction().execute(async (trx) => {
    // The worker reads this table for a changed timeline, after the heartbeat.
    await sql`lock table programmes in access exclusive mode`.execute(trx)
    await sql`update channels set timeline_version = timeline_version + 1`.execute(station.db)
    await until('the worker waits for the lock', async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(station.db)
      return rows.length > 0
    })
    await sql`update channels set leader = null`.execute(station.db)
    asked = station.first.runOnce()
  })
  await asked
  expect(await leaders()).toEqual([own])
})

test('the heartbeat of a crashed replica is deleted after an hour', async () => {
  station = await TestScheduler.start()
  const before = await until('the replica has sent a heartbeat', async () => {
    const ids = await replicas()
    return ids.length > 0 && ids
  })
  await sql`insert into replicas (id, seen_at) values
    (gen_random_uuid(), clock_timestamp() - interval '61 minutes'),
    ('00000000-0000-4000-8000-000000000001', clock_timestamp() - interval '59 minutes')`.execute(station.db)
  await pruneReplicas(station.db)
  expect(await replicas()).toEqual(['00000000-0000-4000-8000-000000000001', ...before])
})
