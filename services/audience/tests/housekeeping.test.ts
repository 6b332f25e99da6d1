import { randomUUID } from 'node:crypto'
import { NO_TURNS } from '@looptide/fairness/turns'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertBody, saveDecisions } from '../src/features/decisions/decision-repository.ts'
import { networkKeysOf } from '../src/features/networks/network-keys.ts'
import { saveNetwork } from '../src/features/networks/network-repository.ts'
import { saveReactions } from '../src/features/reactions/reaction-repository.ts'
import { housekeeping } from '../src/housekeeping.ts'
import { type AudienceHarness, request, startAudienceHarness } from './_harness.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
let harness: AudienceHarness
beforeAll(async () => {
  harness = await startAudienceHarness()
})
afterAll(() => harness.stop())

it('finished requests, reactions, published queues, watched hours, networks and restrictions are deleted when their time is over', async () => {
  const { db, clock } = harness
  const viewer = await harness.join()
  const [old, recent, waiting] = [
    await request(viewer, 'default'),
    await request(viewer, 'default'),
    await request(viewer, 'default'),
  ]
  const daysAgo = (days: number) => new Date(clock.nowMs - days * DAY_MS)
  for (const [{ id }, days] of [[old, 401] as const, [recent, 399] as const]) {
    const end = { state: 'aired' as const, finishedAt: daysAgo(days) }
    await db.updateTable('requests').set(end).where('id', '=', id).execute()
    const report = { channelId: 'default', airingId: id, gateway: 'one', counts: { '🔥': 1 }, total: 1 }
    await saveReactions(db, [{ ...report, at: daysAgo(days) }])
  }
  const [past, present] = [randomUUID(), randomUUID()]
  for (const [userId, days] of [[past, 4] as const, [present, 0] as const]) {
    await saveNetwork(db, userId, networkKeysOf('198.51.100.7', 'secret', daysAgo(days).getTime()))
    const seenAt = daysAgo(days)
    await db.insertInto('watchHours').values({ userId, startsAt: seenAt, watchedMs: 1, seenAt }).execute()
    const restriction = { restrictionId: randomUUID(), userId, expiresAt: daysAgo(days - 1) }
    await db.insertInto('restrictedUsers').values(restriction).execute()
  }
  const body = { nowMs: 0, requests: [], turns: NO_TURNS, votes: [] }
  await db.transaction().execute(async (trx) => {
    for (const [sequence, hours] of [[1, 3] as const, [2, 3] as const, [3, 1] as const]) {
      const made = { ...body, nowMs: clock.nowMs - hours * HOUR_MS }
      await insertBody(trx, { channelId: 'default', sequence }, made)
    }
    const decision = {
      requestId: waiting.id,
      sequence: 2,
      currency: 'turn' as const,
      ...{ startsAtMs: clock.nowMs, decidedAtMs: clock.nowMs, earlier: [] },
    }
    expect(await saveDecisions(trx, 'default', [decision])).toEqual([waiting.id])
  })
  const logger = createLogger('test', 'silent')
  const task = housekeeping({ db, logger, now: () => clock.nowMs, airLogDays: 400, minWatchMinutes: 10 })
  task.start()
  const left = async (table: 'networks' | 'watchHours' | 'restrictedUsers') =>
    (await db.selectFrom(table).select('userId').where('userId', 'in', [past, present]).execute()).map(
      ({ userId }) => userId,
    )
  await until('the last step is done', async () => (await left('restrictedUsers')).length === 1)
  await task.stop()
  for (const table of ['networks', 'watchHours', 'restrictedUsers'] as const) {
    expect(await left(table)).toEqual([present])
  }
  const reactions = await db.selectFrom('reactions').select('airingId').execute()
  expect(reactions).toEqual([{ airingId: recent.id }])
  const queues = await db.selectFrom('queueBodies').select('sequence').orderBy('sequence').execute()
  expect(queues.map(({ sequence }) => sequence)).toEqual([2, 3])
  const requests = await db.selectFrom('requests').select('id').orderBy('id').execute()
  expect(requests.map(({ id }) => id)).toEqual([recent.id, waiting.id].toSorted())
})

it('votes of accounts that have not watched in the last day are taken back, unless votes need no watching', async () => {
  const { db, clock } = harness
  const { id: requestId } = await request(await harness.join(), 'voted')
  const [watching, away] = [randomUUID(), randomUUID()]
  for (const [userId, hours] of [[watching, 20] as const, [away, 26] as const]) {
    const startsAt = new Date(clock.nowMs - hours * HOUR_MS)
    await db.insertInto('watchHours').values({ userId, startsAt, watchedMs: 1, seenAt: startsAt }).execute()
    await db.insertInto('votes').values({ requestId, userId, votedAt: startsAt }).execute()
  }
  const voters = async () => {
    const rows = await db.selectFrom('votes').select('userId').where('requestId', '=', requestId).execute()
    return rows.map(({ userId }) => userId).toSorted()
  }
  const changes = async () =>
    (await db.selectFrom('queueChanges').select('id').where('channelId', '=', 'voted').execute()).length
  const before = await changes()
  const logger = createLogger('test', 'silent')
  /** One run: it has ended when an expired restriction, its last step, is gone. */
  const runWith = async (minWatchMinutes: number) => {
    const restrictionId = randomUUID()
    const expiresAt = new Date(clock.nowMs - 2 * DAY_MS)
    await db.insertInto('restrictedUsers').values({ restrictionId, userId: away, expiresAt }).execute()
    const task = housekeeping({ db, logger, now: () => clock.nowMs, airLogDays: 400, minWatchMinutes })
    task.start()
    const find = db.selectFrom('restrictedUsers').select('userId').where('restrictionId', '=', restrictionId)
    await until('the last step is done', async () => (await find.execute()).length === 0)
    await task.stop()
  }
  await runWith(0)
  expect(await voters()).toEqual([watching, away].toSorted())
  expect(await changes()).toBe(before)
  await runWith(10)
  expect(await voters()).toEqual([watching])
  expect(await changes()).toBe(before + 1)
})
