import { randomUUID } from 'node:crypto'
import { bearerOf } from '@looptide/testkit/client'
import { eventsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publishVotes } from '../src/features/requests/vote-publisher.ts'
import {
  deleteVotesOfAbsent,
  FIRST_VOTER,
  takeChangedVotes,
} from '../src/features/requests/vote-repository.ts'
import { type AudienceHarness, refusalOf, request, startAudienceHarness, type Viewer } from './_harness.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Just after an hour began, so that reports of some minutes are of one hour. */
const START = Date.parse('2026-12-01T20:00:30Z')
let harness: AudienceHarness
let requester: Viewer
let requestId: string

beforeAll(async () => {
  harness = await startAudienceHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  harness.clock.nowMs = START
  requester = await harness.join()
  requestId = (await request(requester, 'default')).id
})

const report = ({ client }: Viewer) =>
  client.call('POST /api/channels/:id/watching', { params: { id: 'default' } })
const vote = ({ client }: Viewer) =>
  client.call('PUT /api/requests/:requestId/vote', { params: { requestId } })

/** Reports every minute, so that the viewer has watched for `minutes`. */
async function watch(viewer: Viewer, minutes: number): Promise<void> {
  await report(viewer)
  for (let minute = 0; minute < minutes; minute += 1) {
    harness.clock.nowMs += MINUTE_MS
    await report(viewer)
  }
}

/** A vote from the network of an IP address, of an account that has watched long enough. */
async function voteFrom(ip: string): Promise<{ votes: number }> {
  const { user } = await harness.join()
  const hour = new Date(Math.floor(harness.clock.nowMs / 3_600_000) * 3_600_000)
  const watched = { userId: user.id, startsAt: hour, watchedMs: 10 * MINUTE_MS, seenAt: hour }
  await harness.db.insertInto('watchHours').values(watched).execute()
  const response = await fetch(`${harness.url}/api/requests/${requestId}/vote`, {
    ...{ method: 'PUT', headers: { ...bearerOf(user.token), 'x-forwarded-for': ip } },
  })
  return (await response.json()) as { votes: number }
}

describe('a vote', () => {
  it('counts once for an account, and no longer after it was withdrawn', async () => {
    const voter = await harness.join()
    await watch(voter, 10)
    expect(await vote(voter)).toEqual({ votes: 1, hasVoted: true })
    expect(await vote(voter)).toEqual({ votes: 1, hasVoted: true })
    const own = await voter.client.call('GET /api/channels/:id/requests', {
      ...{ params: { id: 'default' }, query: {} },
    })
    expect(own.items.find(({ id }) => id === requestId)).toMatchObject({ votes: 1, hasVoted: true })
    const others = await requester.client.call('GET /api/channels/:id/requests', {
      ...{ params: { id: 'default' }, query: {} },
    })
    expect(others.items.find(({ id }) => id === requestId)).toMatchObject({ votes: 1, hasVoted: false })
    const withdrawn = await voter.client.call('DELETE /api/requests/:requestId/vote', {
      params: { requestId },
    })
    expect(withdrawn).toEqual({ votes: 0, hasVoted: false })
  })

  it('needs ten minutes watched in the last day, and the answer says how much is missing', async () => {
    const voter = await harness.join()
    await watch(voter, 4)
    const refused = await voter.client.send('PUT /api/requests/:requestId/vote', { params: { requestId } })
    expect(await refusalOf(refused)).toEqual({ status: 403, code: 'not_watching', missingMs: 6 * MINUTE_MS })
    await watch(voter, 6)
    expect((await vote(voter)).votes).toBe(1)
    harness.clock.nowMs += DAY_MS + 60 * MINUTE_MS
    const late = await voter.client.send('PUT /api/requests/:requestId/vote', { params: { requestId } })
    expect(await refusalOf(late)).toMatchObject({ code: 'not_watching', missingMs: 10 * MINUTE_MS })
  })

  it('of more than five accounts of one network counts five times, also across midnight', async () => {
    for (let account = 0; account < 4; account += 1) await voteFrom('198.51.100.7')
    harness.clock.nowMs += 6 * 60 * MINUTE_MS
    for (let account = 0; account < 3; account += 1) await voteFrom('198.51.100.7')
    expect(await voteFrom('198.51.100.7')).toMatchObject({ votes: 5 })
    expect(await voteFrom('203.0.113.9')).toMatchObject({ votes: 6 })
  })

  it('is refused for a request that does not wait, an unknown one, and to a restricted account', async () => {
    const voter = await harness.join()
    await watch(voter, 10)
    const send = (id: string) =>
      voter.client.send('PUT /api/requests/:requestId/vote', { params: { requestId: id } })
    expect(await refusalOf(await send(randomUUID()))).toEqual({ status: 404, code: 'not_found' })
    await harness.publish('auth.user.restricted.v1', voter.user.id, {
      ...{ userId: voter.user.id, restrictionId: randomUUID(), restrictionType: 'restricted' },
      ...{ reason: 'x', expiresAt: new Date(harness.clock.nowMs + MINUTE_MS).toISOString() },
    })
    expect(await refusalOf(await send(requestId))).toEqual({ status: 403, code: 'user_restricted' })
    harness.clock.nowMs += 2 * MINUTE_MS
    await requester.client.call('DELETE /api/requests/:requestId', { params: { requestId } })
    expect(await refusalOf(await send(requestId))).toEqual({ status: 409, code: 'conflict' })
  })
})

describe('numbers of votes', () => {
  /** Those of the request that were published, in their order, after the publisher has run. */
  const publishedVotes = async () => {
    await publishVotes({ db: harness.db, now: () => harness.clock.nowMs })
    await harness.service.processAll()
    const events = await eventsOf(harness.nats, 'audience.votes.changed.v1')
    return events.flatMap(({ data }) => data.votes[requestId] ?? [])
  }

  it('are published once for many votes, and not again without a change', async () => {
    await Promise.all(['198.51.100.1', '198.51.100.2', '198.51.100.3'].map(voteFrom))
    expect(await publishedVotes()).toEqual([3])
    expect(await publishedVotes()).toEqual([3])
  })

  it('follow votes that are taken back, those of absent voters, and those of deleted accounts', async () => {
    const [first, second] = [await harness.join(), await harness.join()]
    for (const voter of [first, second]) {
      await watch(voter, 10)
      await vote(voter)
      await vote(voter)
    }
    await voteFrom('198.51.100.4')
    expect(await publishedVotes()).toEqual([3])
    await first.client.call('DELETE /api/requests/:requestId/vote', { params: { requestId } })
    expect(await publishedVotes()).toEqual([3, 2])
    await harness.publish('auth.user.deleted.v1', second.user.id, { userId: second.user.id })
    expect(await publishedVotes()).toEqual([3, 2, 1])
    await harness.db.transaction().execute(async (trx) => {
      const since = new Date(harness.clock.nowMs)
      await deleteVotesOfAbsent(trx, since, { after: FIRST_VOTER, limit: 200 })
    })
    expect(await publishedVotes()).toEqual([3, 2, 1, 0])
  })

  it('are published by one replica after the other, so that the newest one comes last', async () => {
    const { db, clock } = harness
    await voteFrom('198.51.100.1')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: taken, resolve: take } = Promise.withResolvers<void>()
    const ended: string[] = []
    const first = db.transaction().execute(async (trx) => {
      await takeChangedVotes(trx, 1)
      take()
      await released
      ended.push('first')
    })
    await taken
    await voteFrom('198.51.100.2')
    const second = publishVotes({ db, now: () => clock.nowMs }).then(() => ended.push('second'))
    await until('the second replica waits', async () => {
      const { rows } = await sql`
        select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(db)
      return rows.length > 0 || ended.length > 0
    })
    release()
    await Promise.all([first, second])
    expect(ended).toEqual(['first', 'second'])
  })
})

describe('watched time', () => {
  it('of several tabs does not add up', async () => {
    const viewer = await harness.join()
    await report(viewer)
    for (let half = 0; half < 4; half += 1) {
      harness.clock.nowMs += MINUTE_MS / 2
      await Promise.all([report(viewer), report(viewer), report(viewer)])
    }
    expect(await report(viewer)).toEqual({
      ...{ watchedMs: 2 * MINUTE_MS, neededMs: 10 * MINUTE_MS, nextAfterMs: MINUTE_MS },
    })
  })

  it('does not count a pause, and is reported once an hour when it suffices', async () => {
    const viewer = await harness.join()
    await report(viewer)
    harness.clock.nowMs += 5 * MINUTE_MS
    expect((await report(viewer)).watchedMs).toBe(0)
    await watch(viewer, 10)
    expect((await report(viewer)).nextAfterMs).toBe(60 * MINUTE_MS)
  })

  it('of a viewer who goes on watching suffices for a vote at any time of the next day', async () => {
    const viewer = await harness.join()
    let { nextAfterMs } = await report(viewer)
    let hasWatched = false
    for (const endMs = START + 30 * 60 * MINUTE_MS; harness.clock.nowMs < endMs; ) {
      harness.clock.nowMs += nextAfterMs
      const answer = await report(viewer)
      nextAfterMs = answer.nextAfterMs
      hasWatched ||= answer.watchedMs >= answer.neededMs
      expect(answer.watchedMs >= answer.neededMs).toBe(hasWatched)
    }
    expect(hasWatched).toBe(true)
  })
})

it('a deleted account leaves neither votes, watched time, networks nor waiting requests, and no name', async () => {
  const { user, client } = await harness.join()
  const voter = { user, client }
  await watch(voter, 10)
  await vote(voter)
  const own = await request(voter, 'default')
  const played = await request(voter, 'default')
  await harness.db
    .updateTable('requests')
    .set({ state: 'aired', finishedAt: new Date(harness.clock.nowMs) })
    .where('id', '=', played.id)
    .execute()
  const exported = await client.call('GET /api/export/votes', { query: {} })
  expect(exported.items).toMatchObject([{ requestId, title: 'Title' }])
  await harness.publish('auth.user.deleted.v1', user.id, { userId: user.id })
  for (const table of ['votes', 'watchHours', 'networks', 'requests'] as const) {
    const rows = await harness.db.selectFrom(table).selectAll().where('userId', '=', user.id).execute()
    expect(rows).toEqual([])
  }
  const kept = await harness.db
    .selectFrom('requests')
    .select('id')
    .where('id', 'in', [own.id, played.id])
    .execute()
  expect(kept).toEqual([{ id: played.id }])
  const profiles = await harness.db
    .selectFrom('profiles')
    .select('handle')
    .where('userId', '=', user.id)
    .execute()
  expect(profiles).toEqual([{ handle: null }])
})
