import { EveningCheck, type PlayResult } from '@looptide/fairness/evening-check'
import { recompute } from '@looptide/fairness/recompute'
import { clientOf } from '@looptide/testkit/client'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Evening, programmeIdOf } from './_evening.ts'
import {
  type AudienceHarness,
  allowed,
  refusalOf,
  request,
  startAudienceHarness,
  tick,
  type Viewer,
} from './_harness.ts'

const MINUTE_MS = 60_000
const EVER = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
let harness: AudienceHarness
let programmer: Viewer
let channelCount = 0
beforeAll(async () => {
  harness = await startAudienceHarness()
  programmer = await harness.join({ role: 'programmer' })
})
afterAll(() => harness.stop())

/** A channel of its own, on which a scheduler is played. */
function newEvening(): Evening {
  channelCount += 1
  return new Evening(harness, `channel-${channelCount}`)
}

/** Accounts that may vote, each in a network of its own. */
async function joinVoters(count: number): Promise<Viewer[]> {
  const voters: Viewer[] = []
  for (let index = 0; index < count; index += 1) voters.push(await harness.join())
  const startsAt = new Date(Math.floor(harness.clock.nowMs / 3_600_000) * 3_600_000)
  await harness.db
    .insertInto('watchHours')
    .values(
      voters.map(({ user }) => ({ userId: user.id, startsAt, watchedMs: 60 * MINUTE_MS, seenAt: startsAt })),
    )
    .execute()
  return voters
}

/** Requests a new video. Each account is a network of its own. */
async function ask(viewer: Viewer, evening: Evening) {
  tick(harness)
  const made = await request(viewer, evening.channelId)
  await harness.db.deleteFrom('networks').execute()
  return made
}

async function vote(viewer: Viewer, requestId: string, isCast = true): Promise<void> {
  const call = isCast ? 'PUT /api/requests/:requestId/vote' : 'DELETE /api/requests/:requestId/vote'
  await viewer.client.call(call, { params: { requestId } })
  await harness.db.deleteFrom('networks').execute()
}

/** Viewers of whom each has a request that only they vote for, in a published queue. */
async function ownVotes(evening: Evening, count: number) {
  const viewers = await joinVoters(count)
  const requests = []
  for (const viewer of viewers) requests.push(await ask(viewer, evening))
  for (const [index, viewer] of viewers.entries()) await vote(viewer, requests[index]!.id)
  await evening.publishQueue()
  return { viewers, requests }
}

const receiptOf = (requestId: string) =>
  programmer.client.call('GET /api/requests/:requestId/receipt', { params: { requestId } })

const find = async ({ channelId }: Evening, requestId: string) => {
  const page = await programmer.client.call('GET /api/channels/:id/requests', {
    params: { id: channelId },
    query: {},
  })
  return page.items.find(({ id }) => id === requestId)
}

/** What a visitor finds who decides all again that a channel has aired, with pages of `limit`. */
async function checkEvening({ channelId }: Evening, limit: number): Promise<PlayResult[]> {
  const visitor = clientOf(harness.url)
  const evening = new EveningCheck()
  const results: PlayResult[] = []
  let cursor: string | undefined
  do {
    const query = { ...EVER, limit, ...(cursor !== undefined && { cursor }) }
    const page = await visitor.call('GET /api/channels/:id/requests/aired', {
      params: { id: channelId },
      query,
    })
    for (const { id, startedAt, currency, digest } of page.items) {
      const receipt = digest === null ? null : await receiptOf(id)
      results.push(
        evening.check({ requestId: id, startedAtMs: Date.parse(startedAt), currency, digest, receipt }),
      )
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return results
}

async function mismatches(): Promise<number> {
  const text = await (await fetch(`${harness.url}/metrics`)).text()
  return Number(/^looptide_request_mismatches_total (\d+)$/m.exec(text)?.[1] ?? Number.NaN)
}

describe('a request in the programme', () => {
  it('has its time while it is planned, and the rule that forbids it otherwise', async () => {
    const evening = newEvening()
    const [viewer] = await joinVoters(1)
    const [first, second] = [await ask(viewer!, evening), await ask(viewer!, evening)]
    const startsAtMs = harness.clock.nowMs + 10 * MINUTE_MS
    const place = { requestId: first.id, currency: 'turn' as const, sequence: 1, startsAtMs }
    await evening.plan(
      [{ ...place, isDecided: false, passedOver: [] }],
      [{ requestId: second.id, rule: 'artistSeparation', untilMs: startsAtMs }],
    )
    const at = new Date(startsAtMs).toISOString()
    expect(await find(evening, first.id)).toMatchObject({ state: 'planned', expectedAt: at, blockedBy: null })
    expect(await find(evening, second.id)).toMatchObject({
      ...{ state: 'waiting', expectedAt: null },
      blockedBy: { rule: 'artistSeparation', until: at },
    })
    await evening.plan()
    expect(await find(evening, first.id)).toMatchObject({ state: 'waiting', expectedAt: null })
    expect(await find(evening, second.id)).toMatchObject({ blockedBy: null })
  })

  it('is listed by its time, also while the plan is older than a pin and the published order, and the others follow', async () => {
    const evening = newEvening()
    const viewers = await joinVoters(4)
    const made = []
    for (const viewer of viewers) made.push((await ask(viewer, evening)).id)
    const [late, early, pinned, last] = made as [string, string, string, string]
    const planAt = (requestId: string, minutes: number) => ({
      ...{ requestId, currency: 'turn' as const, sequence: 1, isDecided: false, passedOver: [] },
      startsAtMs: harness.clock.nowMs + minutes * MINUTE_MS,
    })
    await evening.publishQueue()
    await evening.plan([planAt(early, 10), planAt(late, 20)])
    await programmer.client.call('POST /api/requests/:requestId/pin', { params: { requestId: pinned } })
    const listed: string[] = []
    let cursor: string | undefined
    do {
      const page = await programmer.client.call('GET /api/channels/:id/requests', {
        params: { id: evening.channelId },
        query: { limit: 1, ...(cursor !== undefined && { cursor }) },
      })
      listed.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(listed).toEqual([early, late, pinned, last])
    harness.clock.nowMs += 1_000
    await evening.plan([planAt(pinned, 10), planAt(early, 20), planAt(late, 30)])
    const { items } = await programmer.client.call('GET /api/channels/:id/requests', {
      ...{ params: { id: evening.channelId }, query: {} },
    })
    expect(items.map(({ id }) => id)).toEqual([pinned, early, late, last])
  })

  it('tells its requester from when it has moved, if it is a minute or more', async () => {
    const evening = newEvening()
    const [viewer] = await joinVoters(1)
    const { id: requestId } = await ask(viewer!, evening)
    const firstMs = harness.clock.nowMs + 10 * MINUTE_MS
    const times = async () => {
      const { items } = await viewer!.client.call('GET /api/me/requests', { query: { limit: 1 } })
      return items.map(({ expectedAt, movedFrom }) =>
        [expectedAt, movedFrom].map((at) => at && Date.parse(at)),
      )
    }
    const planAt = async (startsAtMs: number) => {
      harness.clock.nowMs += 1_000
      const place = { requestId, currency: 'turn' as const, sequence: 1, startsAtMs }
      await evening.plan([{ ...place, isDecided: false, passedOver: [] }])
    }
    await planAt(firstMs)
    expect(await times()).toEqual([[firstMs, null]])
    await planAt(firstMs + 20_000)
    expect(await times()).toEqual([[firstMs + 20_000, null]])
    await planAt(firstMs + 5 * MINUTE_MS)
    expect(await times()).toEqual([[firstMs + 5 * MINUTE_MS, firstMs + 20_000]])
    harness.clock.nowMs += 1_000
    await evening.plan()
    expect(await times()).toEqual([[null, firstMs + 5 * MINUTE_MS]])
  })

  it('is refused if the channel cannot play its video any more, which its requester finds in their export', async () => {
    const evening = newEvening()
    const [anna, ben] = await joinVoters(2)
    const [gone, kept] = [await ask(anna!, evening), await ask(ben!, evening)]
    await vote(ben!, gone.id)
    await evening.publishQueue()
    await evening.plan(
      [],
      [
        { requestId: gone.id, rule: 'notPlayable', untilMs: null },
        { requestId: kept.id, rule: 'artistSeparationMinutes', untilMs: null },
      ],
    )
    expect(await find(evening, gone.id)).toBeUndefined()
    expect(await find(evening, kept.id)).toMatchObject({ state: 'waiting' })
    const { items } = await anna!.client.call('GET /api/export/requests', { query: {} })
    expect(items).toMatchObject([
      { id: gone.id, state: 'refused', reason: 'This video cannot be played any more.' },
    ])
    const events = await harness.db
      .selectFrom('publishedEvents')
      .select('data')
      .where('type', '=', 'audience.request.changed.v1')
      .where('aggregateId', '=', evening.channelId)
      .orderBy('seq', 'desc')
      .limit(1)
      .execute()
    expect(events.map(({ data }) => data)).toMatchObject([{ requestId: gone.id, state: 'refused' }])
    const queue = await evening.publishQueue()
    expect(queue).toMatchObject({ requests: [{ id: kept.id }], votes: [] })
    await evening.plan()
    expect(await find(evening, gone.id)).toBeUndefined()
  })

  it('is aired once, with a receipt, is charged, and leaves the queue when it is decided', async () => {
    const evening = newEvening()
    const [anna, ben] = await joinVoters(2)
    const [a1, b1] = [await ask(anna!, evening), await ask(ben!, evening)]
    await vote(anna!, b1.id)
    await evening.publishQueue()
    const decided = await evening.decide('vote')
    expect(decided?.requestId).toBe(b1.id)
    const queue = await evening.publishQueue()
    expect(queue?.decided).toEqual([b1.id])
    expect(queue?.requests.map(({ id }) => id)).toEqual([a1.id])
    const withdrawal = await ben!.client.send('DELETE /api/requests/:requestId', {
      params: { requestId: b1.id },
    })
    expect(withdrawal.status).toBe(409)
    await evening.air()
    await evening.started(decided!, 1)
    const receipt = await receiptOf(b1.id)
    expect(recompute(receipt)).toEqual({ isCorrect: true, receipt })
    expect(receipt).toMatchObject({ currency: 'vote', winner: b1.id, isConsistent: true })
    expect(JSON.stringify(receipt)).not.toContain(anna!.user.id)
    expect(await evening.stored()).toEqual(evening.expected())
    const row = await harness.db
      .selectFrom('requests')
      .select(['state', 'airingId', 'currency'])
      .where('id', '=', b1.id)
      .executeTakeFirst()
    expect(row).toEqual({ state: 'aired', airingId: programmeIdOf(evening.channelId, 1), currency: 'vote' })
  })

  it('is named for its programme, with who was passed over by which rule', async () => {
    const evening = newEvening()
    const [anna, ben] = await joinVoters(2)
    const [a1, b1] = [await ask(anna!, evening), await ask(ben!, evening)]
    await evening.publishQueue()
    expect((await evening.decide('turn', 1))?.requestId).toBe(b1.id)
    const readAired = (seq: number) =>
      programmer.client.call('GET /api/channels/:id/requests/aired/:programmeId', {
        params: { id: evening.channelId, programmeId: programmeIdOf(evening.channelId, seq) },
      })
    expect(await readAired(1)).toEqual({ request: null })
    await evening.air()
    const aired = {
      ...{ id: b1.id, requestedBy: b1.requestedBy, requestedAt: b1.requestedAt, currency: 'turn' },
      hasReceipt: true,
    }
    const [title, artistName] = [a1.video.title, a1.video.artistName]
    expect(await readAired(1)).toEqual({
      request: { ...aired, passedOver: [{ rule: 'artistSeparation', video: { title, artistName } }] },
    })
    await harness.publish('auth.user.deleted.v1', anna!.user.id, { userId: anna!.user.id })
    await harness.publish('auth.user.deleted.v1', ben!.user.id, { userId: ben!.user.id })
    expect(await readAired(1)).toEqual({
      request: { ...aired, requestedBy: null, passedOver: [{ rule: 'artistSeparation', video: null }] },
    })
  })

  it('that is pinned is aired without a charge and without a receipt', async () => {
    const evening = newEvening()
    const [anna, ben] = await joinVoters(2)
    const [a1, b1] = [await ask(anna!, evening), await ask(ben!, evening)]
    await programmer.client.call('POST /api/requests/:requestId/pin', { params: { requestId: b1.id } })
    await evening.publishQueue()
    expect((await evening.decide('turn'))?.requestId).toBe(b1.id)
    expect((await evening.publishQueue())?.turns).toEqual([{ load: 0, approved: [0] }])
    await evening.air()
    expect(await evening.stored()).toEqual({ votes: new Map(), turns: new Map() })
    const params = { requestId: b1.id }
    expect((await programmer.client.send('GET /api/requests/:requestId/receipt', { params })).status).toBe(
      404,
    )
    await evening.publishQueue()
    expect((await evening.decide('turn'))?.requestId).toBe(a1.id)
    await evening.air()
    expect(await receiptOf(a1.id)).toMatchObject({ currency: 'turn', loadsBefore: [0], isConsistent: true })
  })

  it('waits again with its votes if it does not start, and nothing is charged', async () => {
    const evening = newEvening()
    const [anna, ben] = await joinVoters(2)
    const [a1, b1] = [await ask(anna!, evening), await ask(ben!, evening)]
    await vote(anna!, a1.id)
    await vote(ben!, b1.id)
    await evening.publishQueue()
    await evening.decide('vote')
    await evening.publishQueue()
    await evening.undo(0)
    expect(await find(evening, a1.id)).toMatchObject({ state: 'waiting', votes: 1 })
    const queue = await evening.publishQueue()
    expect(queue).toMatchObject({ decided: [], votes: [{ load: 0 }, { load: 0 }] })
    expect(queue?.requests).toHaveLength(2)
    expect(await evening.stored()).toEqual(evening.expected())
  })

  it('has a receipt with the loads that decided it, also if what was decided before it is undone and decided again', async () => {
    const evening = newEvening()
    await ownVotes(evening, 3)
    const first = await evening.decide('vote')
    const second = await evening.decide('vote')
    await evening.undo(0)
    expect((await evening.decide('turn'))?.requestId).toBe(first?.requestId)
    await evening.air()
    const receipt = await receiptOf(second!.requestId)
    expect(recompute(receipt)).toEqual({ isCorrect: true, receipt })
    expect(receipt.requests.map(({ id }) => id)).not.toContain(first?.requestId)
    expect(receipt.loadsBefore.toSorted((a, b) => a - b)).toEqual(evening.known.get(second!.requestId)?.loads)
    expect(receipt.isConsistent).toBe(false)
    await evening.air()
    expect(await receiptOf(first!.requestId)).toMatchObject({ currency: 'turn', isConsistent: true })
    expect(await evening.stored()).toEqual(evening.expected())
  })

  it('whose queue is not known is aired, and counted as a mismatch', async () => {
    const evening = newEvening()
    const [anna] = await joinVoters(1)
    const { id } = await ask(anna!, evening)
    const before = await mismatches()
    const startsAtMs = harness.clock.nowMs
    const unknown = { requestId: id, currency: 'turn' as const, sequence: 1, startsAtMs }
    await evening.started({ ...unknown, isDecided: true, passedOver: [] }, 1)
    expect(await find(evening, id)).toBeUndefined()
    expect(await mismatches()).toBe(before + 1)
  })
})

describe('an evening', () => {
  it('is checked by a visitor: each decision follows from the one before, and pinned requests are named', async () => {
    const evening = newEvening()
    const viewers = await joinVoters(3)
    const requests = []
    for (const viewer of viewers) requests.push(await ask(viewer, evening))
    const pinned = await ask(viewers[0]!, evening)
    await programmer.client.call('POST /api/requests/:requestId/pin', { params: { requestId: pinned.id } })
    for (const [index, viewer] of viewers.entries()) await vote(viewer, requests[index]!.id)
    for (let slot = 0; slot < 4; slot += 1) {
      await evening.publishQueue()
      await evening.decide('vote')
      await evening.air()
    }
    expect(await checkEvening(evening, 2)).toMatchObject([
      { result: 'pinned' },
      { result: 'verified', isLinked: false },
      { result: 'verified', isLinked: true },
      { result: 'verified', isLinked: true },
    ])
  })

  it('says that a decision was taken with other loads after the account of a debtor was deleted', async () => {
    const evening = newEvening()
    const viewers = await joinVoters(4)
    const requests: { id: string }[] = []
    for (const viewer of viewers) requests.push(await ask(viewer, evening))
    for (const [index, viewer] of viewers.entries()) await vote(viewer, requests[index]!.id)
    const next = async () => {
      await evening.publishQueue()
      const decided = await evening.decide('vote')
      await evening.air()
      return viewers[requests.findIndex(({ id }) => id === decided?.requestId)]!
    }
    const { user } = await next()
    await harness.publish('auth.user.deleted.v1', user.id, { userId: user.id })
    await next()
    await next()
    expect(await checkEvening(evening, 100)).toMatchObject([
      { result: 'verified' },
      { result: 'inconsistent' },
      { result: 'verified', isLinked: false },
    ])
  })

  it('says so too if the account was deleted between the decision and the airing that put it in debt', async () => {
    const evening = newEvening()
    const { viewers, requests } = await ownVotes(evening, 3)
    const decided = await evening.decide('vote')
    const { user } = viewers[requests.findIndex(({ id }) => id === decided?.requestId)]!
    await harness.publish('auth.user.deleted.v1', user.id, { userId: user.id })
    await evening.air()
    await evening.publishQueue()
    await evening.decide('vote')
    await evening.air()
    expect(await checkEvening(evening, 100)).toMatchObject([
      { result: 'verified' },
      { result: 'inconsistent' },
    ])
  })

  it('of a hidden channel is read by staff alone, as what waits there', async () => {
    const evening = newEvening()
    const [anna] = await joinVoters(1)
    await ask(anna!, evening)
    harness.check = (_channelId, videoId) => ({ ...allowed(videoId), isActive: false })
    // Longer than the answer of the scheduler is kept.
    harness.clock.nowMs += MINUTE_MS
    const params = { id: evening.channelId }
    const programme = { ...params, programmeId: programmeIdOf(evening.channelId, 1) }
    for (const { client } of [{ client: clientOf(harness.url) }, anna!]) {
      for (const response of [
        await client.send('GET /api/channels/:id/requests/aired', { params, query: EVER }),
        await client.send('GET /api/channels/:id/requests/aired/:programmeId', { params: programme }),
        await client.send('GET /api/channels/:id/requests', { params, query: {} }),
        await client.send('GET /api/channels/:id/requests/settings', { params }),
      ])
        expect(await refusalOf(response)).toMatchObject({ status: 404, code: 'not_found' })
    }
    const { client } = programmer
    expect(await client.call('GET /api/channels/:id/requests/aired', { params, query: EVER })).toEqual({
      items: [],
      nextCursor: null,
    })
    harness.check = (_channelId, videoId) => allowed(videoId)
  })

  it.each([
    [{ from: EVER.to, to: EVER.from }, 'validation_failed'],
    [{ from: 'yesterday', to: EVER.to }, 'validation_failed'],
    [{ ...EVER, cursor: Buffer.from('[1e300,"x"]').toString('base64url') }, 'invalid_cursor'],
    [{ ...EVER, cursor: Buffer.from('["x",1]').toString('base64url') }, 'invalid_cursor'],
  ])('is refused for %j', async (query, code) => {
    const params = { id: newEvening().channelId }
    const response = await clientOf(harness.url).send('GET /api/channels/:id/requests/aired', {
      params,
      query,
    })
    expect(await refusalOf(response)).toMatchObject({ status: 400, code })
  })
})

describe('what belongs to an account or a channel', () => {
  it('is forgotten with the account: loads, also those of a decision that is aired later', async () => {
    const evening = newEvening()
    const [anna, ben, carl] = await joinVoters(3)
    const [a1, a2, b1] = [await ask(anna!, evening), await ask(anna!, evening), await ask(ben!, evening)]
    await vote(anna!, a1.id)
    await vote(ben!, b1.id)
    await vote(carl!, a1.id)
    await vote(carl!, a2.id)
    await evening.publishQueue()
    await evening.decide('vote')
    await evening.air()
    const { userId } = { userId: anna!.user.id }
    const exported = await anna!.client.call('GET /api/export/loads', { query: {} })
    expect(exported.items).toMatchObject([{ channelId: evening.channelId, currency: 'vote' }])
    await evening.publishQueue()
    const decided = await evening.decide('turn')
    const second = await evening.decide('vote')
    await harness.publish('auth.user.deleted.v1', userId, { userId })
    expect((await evening.stored()).votes.has(userId)).toBe(false)
    const before = await mismatches()
    await evening.air()
    await evening.air()
    for (const { requestId } of [decided!, second!]) {
      expect(recompute(await receiptOf(requestId))).toMatchObject({ isCorrect: true })
    }
    const { votes, turns } = await evening.stored()
    expect([...votes.keys(), ...turns.keys()]).not.toContain(userId)
    expect(await mismatches()).toBe(before)
  })

  it('is deleted with the channel', async () => {
    const evening = newEvening()
    const [anna, ben] = await joinVoters(2)
    const first = await ask(anna!, evening)
    await ask(ben!, evening)
    await vote(anna!, first.id)
    await evening.publishQueue()
    await evening.decide('vote')
    await evening.air()
    await evening.publishQueue()
    await evening.decide('turn')
    await evening.air()
    const { channelId } = evening
    await harness.publish('stream.channel.deleted.v1', channelId, { channelId })
    for (const table of ['requests', 'queueBodies', 'decisions', 'voteLoads', 'turnAccounts'] as const) {
      const rows = await harness.db.selectFrom(table).selectAll().where('channelId', '=', channelId).execute()
      expect(rows, table).toEqual([])
    }
    const receipts = await harness.db
      .selectFrom('receipts')
      .select('requestId')
      .where('requestId', '=', first.id)
      .execute()
    expect(receipts).toEqual([])
  })
})

const steps = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 15, arbitrary: fc.constant('ask' as const) },
      { weight: 25, arbitrary: fc.constant('vote' as const) },
      { weight: 5, arbitrary: fc.constant('take a vote back' as const) },
      { weight: 5, arbitrary: fc.constant('withdraw' as const) },
      { weight: 15, arbitrary: fc.constant('publish the queue' as const) },
      { weight: 17, arbitrary: fc.constant('decide' as const) },
      { weight: 6, arbitrary: fc.constant('undo' as const) },
      { weight: 12, arbitrary: fc.constant('air' as const) },
    ),
    viewer: fc.nat(4),
    place: fc.nat(9),
    forbidden: fc.nat(2),
    currency: fc.constantFrom('vote' as const, 'vote' as const, 'turn' as const),
  }),
  { minLength: 40, maxLength: 60, size: 'max' },
)
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never

async function take(
  evening: Evening,
  viewers: readonly Viewer[],
  { kind, viewer: index, place, forbidden, currency }: Step,
): Promise<void> {
  const viewer = viewers[index]!
  harness.clock.nowMs += 10_000
  const { items } = await programmer.client.call('GET /api/channels/:id/requests', {
    params: { id: evening.channelId },
    query: {},
  })
  const one = items[place % items.length]
  const own = items.filter(({ requestedBy }) => requestedBy?.userId === viewer.user.id)
  if (items.length < 4 || kind === 'ask') {
    if (own.length < 3) await ask(viewer, evening)
  } else if (kind === 'vote') await vote(viewer, one!.id)
  else if (kind === 'take a vote back') await vote(viewer, one!.id, false)
  else if (kind === 'withdraw') {
    const params = { requestId: own[0]?.id ?? one!.id }
    // Refused if it is decided, or of another viewer.
    await viewer.client.send('DELETE /api/requests/:requestId', { params })
  } else if (kind === 'publish the queue') await evening.publishQueue()
  else if (kind === 'decide') await evening.decide(currency, forbidden)
  else if (kind === 'air') await airAndCheck(evening)
  else if (evening.open.length > 0) await evening.undo(place % evening.open.length)
}

/** The receipt proves what was decided, with the loads that were known then, and the loads are those of all airings in their order. */
async function airAndCheck(evening: Evening): Promise<void> {
  const aired = await evening.air()
  if (aired === undefined) return
  const { requestId, currency, passedOver } = aired
  const receipt = await receiptOf(requestId)
  expect(recompute(receipt)).toEqual({ isCorrect: true, receipt })
  expect(receipt).toMatchObject({ currency, passedOver })
  expect(receipt.loadsBefore.toSorted((a, b) => a - b)).toEqual(evening.known.get(requestId)?.loads)
  if (evening.isExpected(aired)) expect(receipt.isConsistent).toBe(true)
  expect(await evening.stored()).toEqual(evening.expected())
}

it('evenings of random votes, withdrawals, takeovers and pauses of the queue: receipts and loads are right', async () => {
  const before = await mismatches()
  const evenings = fc.asyncProperty(steps, async (given) => {
    const evening = newEvening()
    const viewers = await joinVoters(5)
    for (const step of given) await take(evening, viewers, step)
    while (evening.open.length > 0) await airAndCheck(evening)
    expect((await checkEvening(evening, 3)).filter(({ result }) => result === 'wrong')).toEqual([])
  })
  await fc.assert(evenings, { numRuns: 4, endOnFailure: true })
  expect(await mismatches()).toBe(before)
}, 120_000)
