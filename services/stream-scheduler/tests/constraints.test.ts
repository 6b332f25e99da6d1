import { newId } from '@looptide/service-kit/db/ids'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Trx } from '../src/db/schema.ts'
import { createSchedulerDatabase } from './_harness.ts'

let database: Awaited<ReturnType<typeof createSchedulerDatabase>>
const videoId = newId()

beforeAll(async () => {
  database = await createSchedulerDatabase()
  await sql`
    insert into videos (id, title, artist_name, duration_ms, duration_assumed, video_url, is_public,
                        metadata_status, created_at)
    values (${videoId}, 'Song', 'Artist', 60000, false, '/a.mp4', true, 'resolved', now())`.execute(
    database.db,
  )
})
afterAll(() => database.drop())

beforeEach(async () => {
  await database.db.deleteFrom('channels').execute()
  for (const id of ['one', 'two']) {
    await database.db
      .insertInto('channels')
      .values({
        id,
        name: id,
        position: 1,
        seed: '',
        endsAtMs: null,
        leader: null,
        description: null,
        createdBy: null,
      })
      .execute()
  }
  await write((trx) => put(trx, [1, null, 0, 100], [2, 1, 100, 200], [3, 2, 200, 300]))
})

type Row = [seq: number, prev: number | null, startsAtMs: number, endsAtMs: number]

async function put(trx: Trx, ...rows: Row[]): Promise<void> {
  for (const [seq, prevSeq, startsAtMs, endsAtMs] of rows) {
    const fixed = { channelId: 'one', roundSeq: 1, itemId: videoId, videoId, videoVersion: 1, version: 1 }
    await trx
      .insertInto('programmes')
      .values({ ...fixed, seq, prevSeq, startsAtMs, endsAtMs })
      .execute()
  }
}

const write = (change: (trx: Trx) => Promise<unknown>) => database.db.transaction().execute(change)
const change = (seq: number, values: object) => (trx: Trx) =>
  trx.updateTable('programmes').set(values).where('seq', '=', seq).execute()

test('a programme that starts after the end of its predecessor is refused at the commit', async () => {
  await expect(write((trx) => put(trx, [4, 3, 301, 400]))).rejects.toThrow(/programmes_no_gap/)
})

test('a programme that starts before the end of its predecessor is refused', async () => {
  await expect(write((trx) => put(trx, [4, 3, 299, 400]))).rejects.toThrow(/programmes_no_(gap|overlap)/)
})

test('a programme without its predecessor is refused', async () => {
  await expect(write((trx) => put(trx, [5, 4, 300, 400]))).rejects.toThrow(/programmes_no_gap/)
})

test('a second first programme of a channel is refused', async () => {
  await expect(write((trx) => put(trx, [9, null, 900, 1000]))).rejects.toThrow(/programmes_one_first/)
})

test('a programme that skips its predecessor is refused', async () => {
  await expect(write((trx) => put(trx, [5, 3, 300, 400]))).rejects.toThrow(/programmes_predecessor/)
})

test('a programme without length is refused', async () => {
  await expect(write((trx) => put(trx, [4, 3, 300, 300]))).rejects.toThrow(/programmes_length/)
})

test('deleting a programme in the middle is refused', async () => {
  const deleteSecond = (trx: Trx) => trx.deleteFrom('programmes').where('seq', '=', 2).execute()
  await expect(write(deleteSecond)).rejects.toThrow(/programmes_no_gap/)
})

test('changing the start or end of a programme without its successors is refused', async () => {
  await expect(write(change(2, { endsAtMs: 150 }))).rejects.toThrow(/programmes_no_gap/)
  await expect(write(change(2, { endsAtMs: 250 }))).rejects.toThrow(/programmes_no_(gap|overlap)/)
  await expect(write(change(2, { startsAtMs: 101 }))).rejects.toThrow(/programmes_no_gap/)
})

test('two overlapping programmes are refused, even without a common predecessor', async () => {
  const insertOverlapping = (trx: Trx) =>
    sql`insert into programmes select channel_id, 99, null, 1, item_id, video_id, 1, 1, 250, 350
        from programmes where seq = 3`.execute(trx)
  await expect(write(insertOverlapping)).rejects.toThrow(/programmes_(no_overlap|one_first)/)
})

test('one transaction can replace the future and shorten the current programme', async () => {
  await write(async (trx) => {
    await trx.deleteFrom('programmes').where('seq', '>', 1).execute()
    await change(1, { endsAtMs: 70 })(trx)
    await put(trx, [2, 1, 70, 90], [3, 2, 90, 500])
  })
  const rows = await database.db.selectFrom('programmes').select('endsAtMs').orderBy('seq').execute()
  expect(rows.map((row) => row.endsAtMs)).toEqual([70, 90, 500])
})

test('of two writers that extend the same end, one is refused', async () => {
  const results = await Promise.allSettled([
    write((trx) => put(trx, [4, 3, 300, 400])),
    write((trx) => put(trx, [4, 3, 300, 350])),
  ])
  expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected'])
})
