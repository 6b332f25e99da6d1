import type { EventData } from '@looptide/contracts/events'
import type { Programme } from '@looptide/contracts/http/channels'
import type { StationOverview } from '@looptide/contracts/http/overview'
import type { SchedulePreview } from '@looptide/contracts/http/schedules'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
let id: string
const playlist = Array.from({ length: 12 }, (_, index) =>
  video({ title: `List ${index}`, artistName: `Band ${index}`, durationMs: 200_000 + index * 1000 }),
)
/** So few that two hours of the block play all of them: a video that is added later is the only one never aired. */
const classics = Array.from({ length: 24 }, (_, index) =>
  video({
    title: `Classic ${index}`,
    artistName: `Singer ${index}`,
    category: 'Classics',
    durationMs: 150_000 + index * 7000,
  }),
)

beforeAll(async () => {
  station = await TestScheduler.start({ config: { scheduleApproval: 'required' } })
  id = await station.channelPlaying('Programmed', playlist)
  await station.addVideos(classics)
})
afterAll(() => station.stop())

const path = (rest = '') => `/api/channels/${id}/schedule${rest}`

/** A request with the draft's ETag. */
async function withEtag(method: 'PUT' | 'POST' | 'DELETE', url: string, etag: string, body?: object | null) {
  const admin = { headers: { ...station.admin.headers, 'if-match': etag } }
  return station.request(method, url, body, admin)
}

async function draftEtag(): Promise<string> {
  return (await station.request('GET', path('/draft'))).headers.get('etag') ?? ''
}

async function publish(document: ScheduleDocument) {
  const saved = await withEtag('PUT', path('/draft'), await draftEtag(), document)
  expect(saved.status).toBe(200)
  return withEtag('POST', path('/publish'), saved.headers.get('etag') ?? '')
}

/** The hour of the day (UTC) that begins at least two hours from now, so that it is in the timeline and not frozen. */
function hourFromNow(hours: number): { from: string; to: string; startMs: number } {
  const startMs = Math.ceil(station.clock.nowMs / HOUR_MS + hours) * HOUR_MS
  const text = (ms: number) => new Date(ms).toISOString().slice(11, 16)
  return { from: text(startMs), to: text(startMs + HOUR_MS), startMs }
}

function exampleDocument(): ScheduleDocument {
  const { from, to } = hourFromNow(2)
  return {
    timeZone: 'UTC',
    defaultSource: 'list',
    sources: {
      list: { kind: 'playlist' },
      gold: { kind: 'smart', where: { categories: ['Classics'] }, order: 'leastRecentlyAired' },
    },
    clocks: {
      hour: [
        { ident: 'station', durationMs: 8000 },
        { source: 'gold', count: 3 },
      ],
    },
    blocks: [
      {
        id: 'gold-hour',
        name: 'Gold Hour',
        description: 'Forty years of hits.',
        colour: '#f59e0b',
        days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        from,
        to,
        start: 'hard',
        clock: 'hour',
      },
    ],
    rules: { videoSeparationHours: { value: 0.5, strength: 'soft' } },
  }
}

async function guide(): Promise<Programme[]> {
  return (await station.must('GET', `/api/channels/${id}/guide?hours=26`)).programmes
}

const preview = (body: object): Promise<SchedulePreview> => station.must('POST', path('/preview'), body)
const iso = (ms: number): string => new Date(ms).toISOString()

describe('a channel without a schedule', () => {
  it('has version 0, no document and an empty draft', async () => {
    expect(await station.must('GET', path())).toEqual({
      version: 0,
      document: null,
      publishedAt: null,
      publishedBy: null,
      problems: [],
      needsApproval: true,
    })
    expect(await station.must('GET', path('/draft'))).toMatchObject({ document: null, basedOnVersion: 0 })
    expect((await guide()).every(({ kind, block }) => kind === 'video' && block === null)).toBe(true)
  })

  it('has nothing to publish', async () => {
    expect(await withEtag('POST', path('/publish'), await draftEtag())).toMatchObject({
      status: 422,
      body: { code: 'unprocessable' },
    })
  })
})

describe('a draft', () => {
  it('may be incomplete, and is refused with paths if it is no document', async () => {
    const saved = await withEtag('PUT', path('/draft'), await draftEtag(), { timeZone: 'UTC' })
    expect(saved.body).toMatchObject({ document: { timeZone: 'UTC' }, basedOnVersion: 0 })
    const refused = await withEtag('PUT', path('/draft'), saved.headers.get('etag') ?? '', { blocks: 7 })
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'schedule_invalid', problems: [{ path: '/blocks', message: 'Must be a list.' }] },
    })
  })

  it('of another admin is not overwritten: the answer contains it', async () => {
    const etag = await draftEtag()
    const first = await withEtag('PUT', path('/draft'), etag, { timeZone: 'Europe/Berlin' })
    const second = await withEtag('PUT', path('/draft'), etag, { timeZone: 'Asia/Tokyo' })
    expect(second).toMatchObject({
      status: 412,
      body: { code: 'precondition_failed', current: { document: { timeZone: 'Europe/Berlin' } } },
    })
    expect((await station.request('GET', path('/draft'))).headers.get('etag')).toBe(first.headers.get('etag'))
  })

  it('with errors is not published', async () => {
    const etag = await draftEtag()
    expect(await withEtag('POST', path('/publish'), etag)).toMatchObject({
      status: 400,
      body: { code: 'schedule_invalid', problems: [{ path: '/defaultSource' }, { path: '/sources' }] },
    })
  })

  it('can be discarded', async () => {
    expect((await withEtag('DELETE', path('/draft'), await draftEtag())).status).toBe(204)
    expect(await station.must('GET', path('/draft'))).toMatchObject({ document: null, savedAt: null })
  })
})

describe('a publication', () => {
  it('is previewed, replaces the future after the freeze interval, and is what the preview showed', async () => {
    const document = exampleDocument()
    const nowMs = station.clock.nowMs
    const before = await guide()
    const shown = await preview({ document, from: iso(nowMs), to: iso(nowMs + 20 * HOUR_MS) })
    expect(shown).toMatchObject({ problems: [], isExact: true })
    const { status, body } = await publish(document)
    expect(status).toBe(201)
    expect(body.version).toBe(1)
    expect(Date.parse(body.changesFrom)).toBeGreaterThan(nowMs + 10 * MINUTE_MS)
    const after = await guide()
    const frozen = before.filter(({ startsAtMs }) => startsAtMs <= nowMs + 10 * MINUTE_MS)
    expect(after.slice(0, frozen.length)).toEqual(frozen)
    const times = (programmes: readonly { startsAt: string; videoId: string | null }[]) =>
      programmes.map(({ startsAt, videoId }) => `${startsAt} ${videoId}`)
    const aired = after
      .filter(({ startsAtMs, endsAtMs }) => endsAtMs > nowMs && startsAtMs < nowMs + 20 * HOUR_MS)
      .map(({ startsAtMs, videoId }) => ({ startsAt: iso(startsAtMs), videoId }))
    expect(times(aired)).toEqual(times(shown.programmes))
  })

  it('starts the block at its second, with its name, ident, slots and reasons', async () => {
    const { startMs } = hourFromNow(2)
    const programmes = (await guide()).filter(
      (one) => one.startsAtMs >= startMs && one.startsAtMs < startMs + HOUR_MS,
    )
    expect(programmes[0]).toMatchObject({
      startsAtMs: startMs,
      kind: 'ident',
      ident: 'station',
      video: null,
      block: { id: 'gold-hour', name: 'Gold Hour', description: 'Forty years of hits.', colour: '#f59e0b' },
    })
    expect(programmes.slice(1, 4)).toMatchObject(
      [1, 2, 3].map((number) => ({ kind: 'video', reason: { source: 'gold', number, count: 3 } })),
    )
  })

  it('has no gap and no overlap', async () => {
    const programmes = await guide()
    const faults = programmes.filter(({ startsAtMs }, index) => {
      const previous = programmes[index - 1]
      return previous !== undefined && previous.endsAtMs !== startsAtMs
    })
    expect(faults).toEqual([])
  })

  it('of the same document changes nothing', async () => {
    const before = await guide()
    expect((await publish(exampleDocument())).body).toEqual({ version: 2, changesFrom: null, changes: 0 })
    expect(await guide()).toEqual(before)
  })

  it('of a changed block replaces nothing before that block, and shows the difference first', async () => {
    const document = exampleDocument()
    const { startMs } = hourFromNow(2)
    const blocks = document.blocks?.map(({ clock: _clock, ...block }) => ({ ...block, source: 'gold' }))
    const saved = await withEtag('PUT', path('/draft'), await draftEtag(), { ...document, blocks })
    const etag = saved.headers.get('etag') ?? ''
    const difference = (await withEtag('POST', path('/publish/preview'), etag)).body
    const { body } = await withEtag('POST', path('/publish'), etag)
    expect(body).toMatchObject({ version: 3, changesFrom: iso(startMs), changes: difference.changes })
    expect(difference).toMatchObject({ changesFrom: iso(startMs), problems: [] })
    expect(difference.before[0]).toMatchObject({ startsAt: iso(startMs), kind: 'ident' })
    expect(difference.after[0]).toMatchObject({ startsAt: iso(startMs), reason: { source: 'gold' } })
  })

  it('cannot be previewed with a body of null; without a body, the draft is previewed', async () => {
    const etag = await draftEtag()
    expect((await withEtag('POST', path('/publish/preview'), etag, null)).status).toBe(400)
    expect((await withEtag('POST', path('/publish/preview'), etag)).status).toBe(200)
  })

  it('of a new name shows it at once on programmes that stay', async () => {
    const document = exampleDocument()
    const renamed = document.blocks?.map(({ clock: _clock, ...block }) => ({
      ...block,
      source: 'gold',
      name: 'Golden Hour',
    }))
    expect((await publish({ ...document, ...(renamed && { blocks: renamed }) })).body.changes).toBe(0)
    const { startMs } = hourFromNow(2)
    expect((await guide()).find(({ startsAtMs }) => startsAtMs === startMs)?.block?.name).toBe('Golden Hour')
  })
})

describe('versions', () => {
  it('are listed, newest first, with their authors', async () => {
    const { items } = await station.must('GET', path('/versions'))
    expect(items.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2, 1])
    expect(items[0]).toMatchObject({ isCurrent: true, publishedBy: station.admin.id, restoredFrom: null })
  })

  it('are restored as a new version', async () => {
    const { body, status } = await station.request('POST', path('/versions/1/restore'))
    expect(status).toBe(201)
    expect(body.version).toBe(5)
    expect(await station.must('GET', path('/versions/5'))).toMatchObject({ restoredFrom: 1, isCurrent: true })
    const { startMs } = hourFromNow(2)
    expect((await guide()).find(({ startsAtMs }) => startsAtMs === startMs)?.kind).toBe('ident')
  })
})

describe('a station that requires an approval', () => {
  const asProgrammer = (
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    url: string,
    body?: object,
    etag?: string,
  ) =>
    station.request(method, path(url), body, {
      headers: { ...station.programmer.headers, ...(etag !== undefined && { 'if-match': etag }) },
    })
  const waiting = async () => {
    const { submittedDrafts }: StationOverview = await station.must('GET', '/api/channels/overview')
    return submittedDrafts
  }

  it('counts a video in quarantine at once in the overview of the station, also if no timeline changes', async () => {
    const count = async () => {
      const { quarantinedCount }: StationOverview = await station.must('GET', '/api/channels/overview')
      return quarantinedCount
    }
    const quarantine = (quarantinedAt: Date | null) =>
      station.db.updateTable('videos').set({ quarantinedAt }).where('id', '=', classics[0]!.id).execute()
    expect(await count()).toBe(0)
    await quarantine(new Date())
    expect(await count()).toBe(1)
    await quarantine(null)
    expect(await count()).toBe(0)
  })

  it('does not let programmers publish, restore or remove a schedule', async () => {
    const attempts = [
      ['POST', '/publish'],
      ['POST', '/versions/1/restore'],
      ['DELETE', ''],
    ] as const
    for (const [method, url] of attempts) {
      const { status, body } = await asProgrammer(method, url)
      expect({ status, code: body.code }, `${method} ${url}`).toEqual({
        status: 403,
        code: 'approval_required',
      })
    }
    expect(await station.must('GET', path())).toMatchObject({ version: 5, needsApproval: true })
  })

  it('has no draft to submit before one is saved', async () => {
    expect((await asProgrammer('PUT', '/draft/submission')).status).toBe(422)
  })

  it('shows a submitted draft with its note to those who approve, and publishes it with the note', async () => {
    const etag = (await asProgrammer('PUT', '/draft', exampleDocument())).headers.get('etag') ?? ''
    const outdated = await asProgrammer('PUT', '/draft/submission', { note: 'Old' }, '"1-1"')
    expect(outdated.status).toBe(412)
    const { body } = await asProgrammer(
      'PUT',
      '/draft/submission',
      { note: 'More gold\nbefore midnight' },
      etag,
    )
    const submission = { submittedBy: station.programmer.id, note: 'More gold\nbefore midnight' }
    expect(body.submission).toMatchObject(submission)
    expect((await station.must('GET', path('/draft'))).submission).toMatchObject(submission)
    expect(await waiting()).toEqual([{ channelId: id, name: 'Programmed' }])

    expect((await withEtag('POST', path('/publish'), etag)).body.version).toBe(6)
    const { items } = await station.must('GET', path('/versions'))
    expect(items[0]).toMatchObject({ note: submission.note, publishedBy: station.admin.id })
    expect(items[1].note).toBe('')
    expect(await waiting()).toEqual([])
  })

  it('ends a submission when the draft is withdrawn, sent back or changed', async () => {
    const submit = async () => {
      await station.must('PUT', path('/draft'), exampleDocument())
      expect((await asProgrammer('PUT', '/draft/submission')).body.submission.note).toBe('')
    }
    const endings = [
      () => asProgrammer('DELETE', '/draft/submission'),
      () => station.must('DELETE', path('/draft/submission')),
      () => station.must('PUT', path('/draft'), exampleDocument()),
    ]
    for (const end of endings) {
      await submit()
      await end()
      expect((await station.must('GET', path('/draft'))).submission).toBeNull()
      expect(await waiting()).toEqual([])
    }
    await station.must('DELETE', path('/draft'))
  })

  it('says who has sent a submission back, when and why, until the next submission', async () => {
    const submit = () => asProgrammer('PUT', '/draft/submission', { note: 'Louder' })
    const sentBack = async () => (await asProgrammer('GET', '/draft')).body.sentBack
    await station.settle()
    const audited: EventData<'stream.audit.recorded.v1'>[] = []
    await station.listen('stream.audit.recorded.v1', ({ data }) => {
      if (/send_back|withdraw/.test(data.action)) audited.push(data)
    })
    await asProgrammer('PUT', '/draft', exampleDocument())
    await submit()
    const refused = await station.request('DELETE', path('/draft/submission'), { reason: 'x'.repeat(501) })
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 400,
      code: 'validation_failed',
    })
    expect(await waiting()).toHaveLength(1)

    await station.must('DELETE', path('/draft/submission'), { reason: 'Too loud\nat night' })
    expect(await sentBack()).toEqual({
      sentBackBy: station.admin.id,
      sentBackAt: expect.any(String),
      reason: 'Too loud\nat night',
    })
    await asProgrammer('PUT', '/draft', exampleDocument())
    expect(await sentBack()).toMatchObject({ reason: 'Too loud\nat night' })
    expect((await submit()).body.sentBack).toBeNull()

    await station.must('DELETE', path('/draft/submission'))
    expect(await sentBack()).toMatchObject({ sentBackBy: station.admin.id, reason: '' })
    await submit()
    await asProgrammer('DELETE', '/draft/submission', { reason: 'Not yet' })
    expect(await sentBack()).toBeNull()
    await station.must('DELETE', path('/draft'))

    await station.settle()
    expect(audited).toMatchObject([
      { action: 'schedule.send_back', details: { channelName: 'Programmed', reason: 'Too loud\nat night' } },
      { action: 'schedule.send_back', details: { channelName: 'Programmed' } },
      { action: 'schedule.withdraw' },
    ])
    expect(audited[1]?.details).not.toHaveProperty('reason')
  })

  it('refuses to submit a draft with errors', async () => {
    await station.must('PUT', path('/draft'), { timeZone: 'UTC' })
    const { status, body } = await asProgrammer('PUT', '/draft/submission')
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'schedule_invalid' })
    await station.must('DELETE', path('/draft'))
  })
})

describe('a copy of the channel', () => {
  it('has the published schedule as its draft', async () => {
    const { document } = await station.must('GET', path())
    const copy = await station.must('POST', '/api/channels', { name: 'Programmed twice', copyOf: id })
    expect(await station.must('GET', `/api/channels/${copy.id}/schedule`)).toMatchObject({ version: 0 })
    expect(await station.must('GET', `/api/channels/${copy.id}/schedule/draft`)).toMatchObject({
      document,
      basedOnVersion: 0,
      savedBy: station.admin.id,
    })
    await station.must('DELETE', `/api/channels/${copy.id}`)
  })
})

describe('as time passes', () => {
  it('the timeline is extended hour by hour exactly as a preview of the whole time shows it', async () => {
    const fromMs = station.clock.nowMs
    const span = { from: iso(fromMs), to: iso(fromMs + 60 * HOUR_MS) }
    const shown = (await preview(span)).programmes
    const aired: string[] = []
    for (let hour = 0; hour < 40; hour += 1) {
      for (const { startsAtMs, endsAtMs, kind, videoId } of await guide()) {
        const line = `${iso(startsAtMs)} ${iso(endsAtMs)} ${kind} ${videoId}`
        if (startsAtMs >= fromMs && startsAtMs < fromMs + 60 * HOUR_MS) aired.push(line)
      }
      await station.advance(HOUR_MS)
    }
    const expected = shown
      .filter(({ startsAt }) => Date.parse(startsAt) >= fromMs)
      .map(({ startsAt, endsAt, kind, videoId }) => `${startsAt} ${endsAt} ${kind} ${videoId}`)
    expect([...new Set(aired)].toSorted()).toEqual(expected.toSorted())
  })

  it('the air log holds the videos with their reasons, and no cards', async () => {
    const rows = await station.db
      .selectFrom('airLog')
      .select(['reason', 'videoId'])
      .where('channelId', '=', id)
      .where('reason', 'is not', null)
      .execute()
    expect(rows.length).toBeGreaterThan(400)
    expect(rows.filter(({ reason }) => reason?.source === 'gold').length).toBeGreaterThan(10)
  })
})

/** A timeline reaches an hour and a programme further after an extension than it must before the next. */
const EXTENDED_AFTER_MS = HOUR_MS + 10 * MINUTE_MS

describe('a change of the library', () => {
  it('removes a deleted video from the future and keeps the rest of the schedule', async () => {
    const removed = (await guide()).find(
      ({ startsAtMs, block }) => block !== null && startsAtMs > station.clock.nowMs,
    )
    const videoId = (await guide()).find(
      (one) => one.startsAtMs > (removed?.startsAtMs ?? 0) && one.kind === 'video' && one.block !== null,
    )?.videoId
    expect(videoId).toBeTypeOf('string')
    await station.publish(['catalogue.video.removed.v1', videoId ?? '', { videoId: videoId ?? '' }])
    const programmes = (await guide()).filter(
      ({ startsAtMs }) => startsAtMs > station.clock.nowMs + MINUTE_MS,
    )
    expect(programmes.some((one) => one.videoId === videoId)).toBe(false)
    expect(programmes.some(({ block }) => block?.id === 'gold-hour')).toBe(true)
  })

  it('plays a new video with the next extension, but leaves the freeze interval as it was announced', async () => {
    const aired = await station.db
      .selectFrom('airLog')
      .select('videoId')
      .where('channelId', '=', id)
      .execute()
    expect(aired.map(({ videoId }) => videoId)).toEqual(expect.arrayContaining(classics.map((one) => one.id)))
    const announced = (await guide()).map((programme) => programme.id)
    const added = video({ title: 'New Gold', category: 'Classics' })
    await station.addVideos([added])
    expect((await guide()).some(({ videoId }) => videoId === added.id)).toBe(false)
    await station.advance(EXTENDED_AFTER_MS)
    const programmes = await guide()
    expect(programmes.find(({ videoId }) => videoId === added.id)).toMatchObject({
      block: { id: 'gold-hour' },
      reason: { source: 'gold' },
    })
    const frozenUntilMs = station.clock.nowMs + 10 * MINUTE_MS
    const frozen = programmes.filter(({ startsAtMs }) => startsAtMs <= frozenUntilMs)
    expect(announced).toEqual(expect.arrayContaining(frozen.map((programme) => programme.id)))
  })

  it('plays a new video of another channel’s playlist with the next extension', async () => {
    const other = await station.channelPlaying('Lent', [video()])
    const document: ScheduleDocument = {
      timeZone: 'UTC',
      defaultSource: 'lent',
      sources: { lent: { kind: 'playlist', channelId: other } },
    }
    const borrower = await station.channelPlaying('Borrower', [video()])
    await station.publishSchedule(borrower, document)
    const added = video({ title: 'Late Addition' })
    await station.addVideos([added])
    await station.must('POST', `/api/channels/${other}/playlist`, { videoIds: [added.id] })
    await station.advance(EXTENDED_AFTER_MS)
    const { programmes } = await station.must('GET', `/api/channels/${borrower}/guide?hours=3`)
    expect(programmes.some(({ videoId }: Programme) => videoId === added.id)).toBe(true)
  })

  it('keeps the future when nothing has changed, and one timeline when something changes each hour', async () => {
    const version = () => station.db.selectFrom('channels').select('timelineVersion').where('id', '=', id)
    await station.advance(HOUR_MS)
    const before = await version().executeTakeFirstOrThrow()
    await station.advance(3 * HOUR_MS, HOUR_MS)
    expect(await version().executeTakeFirstOrThrow()).toEqual(before)

    for (let hour = 0; hour < 30; hour += 1) {
      await station.addVideos([video({ category: 'Classics', durationMs: 100_000 + hour * 1000 })])
      await station.advance(HOUR_MS)
    }
    const rows = await station.db
      .selectFrom('programmes')
      .select(['seq', 'startsAtMs', 'endsAtMs'])
      .where('channelId', '=', id)
      .orderBy('seq')
      .execute()
    for (const [index, row] of rows.slice(1).entries()) {
      expect(row).toMatchObject({ seq: rows[index]!.seq + 1, startsAtMs: rows[index]!.endsAtMs })
    }
    // The past is deleted and the stored state follows, or else each plan would replay more.
    expect(rows[0]!.endsAtMs).toBeGreaterThanOrEqual(station.clock.nowMs - 5 * HOUR_MS)
    const state = await station.db
      .selectFrom('scheduleStates')
      .select('startsAtMs')
      .where('channelId', '=', id)
      .executeTakeFirstOrThrow()
    expect(state.startsAtMs).toBeGreaterThan(station.clock.nowMs - 5 * HOUR_MS)
  })
})

describe('a schedule that is no longer used', () => {
  it('is followed by the playlist after the freeze interval', async () => {
    const { changes } = await station.must('DELETE', path())
    expect(changes).toBeGreaterThan(0)
    expect(await station.must('GET', path())).toMatchObject({ version: 0, document: null })
    const later = (await guide()).filter(
      ({ startsAtMs }) => startsAtMs > station.clock.nowMs + 20 * MINUTE_MS,
    )
    expect(later.every(({ block, kind }) => block === null && kind === 'video')).toBe(true)
    expect(new Set(later.map(({ videoId }) => videoId)).size).toBeLessThanOrEqual(playlist.length)
  })
})

describe('previews', () => {
  it('report problems instead of programmes', async () => {
    const nowMs = station.clock.nowMs
    const document = { ...exampleDocument(), defaultSource: 'missing' }
    const { programmes, problems } = await preview({ document, from: iso(nowMs), to: iso(nowMs + HOUR_MS) })
    expect({ programmes, problems }).toEqual({
      programmes: [],
      problems: [{ path: '/defaultSource', message: 'There is no source named "missing".' }],
    })
  })

  it('of a draft with blocks that overlap show the one that starts later, and the problem', async () => {
    const noonMs = Math.ceil(station.clock.nowMs / (24 * HOUR_MS)) * 24 * HOUR_MS + 12 * HOUR_MS
    const [known] = exampleDocument().blocks ?? []
    if (known === undefined) throw new Error('the example has no block')
    const blocks = [
      { ...known, id: 'day', name: 'Day', from: '06:00', to: '22:00' },
      { ...known, id: 'noon', name: 'Noon', from: '12:00', to: '14:00' },
    ]
    const { programmes, problems } = await preview({
      document: { ...exampleDocument(), blocks },
      from: iso(noonMs),
      to: iso(noonMs + HOUR_MS),
    })
    expect(problems).toEqual([
      { path: '/blocks/1', message: '"Noon" overlaps "Day" from 12:00 to 14:00 every day.' },
    ])
    expect(new Set(programmes.map(({ reason }) => reason.blockId))).toEqual(new Set(['noon']))
  })

  it('are refused beyond 8 days and 5 years', async () => {
    const nowMs = station.clock.nowMs
    const spans = [
      [nowMs, nowMs + 9 * 24 * HOUR_MS],
      [nowMs + HOUR_MS, nowMs],
      [nowMs + 6 * 366 * 24 * HOUR_MS, nowMs + 6 * 366 * 24 * HOUR_MS + HOUR_MS],
    ] as const
    for (const [from, to] of spans) {
      const { status } = await station.request('POST', path('/preview'), { from: iso(from), to: iso(to) })
      expect(status).toBe(400)
    }
  })

  it('of a day in four years are examples', async () => {
    const fromMs = station.clock.nowMs + 4 * 365 * 24 * HOUR_MS
    const { isExact, programmes } = await preview({
      document: exampleDocument(),
      from: iso(fromMs),
      to: iso(fromMs + 24 * HOUR_MS),
    })
    expect(isExact).toBe(false)
    expect(programmes.some(({ reason }) => reason.blockId === 'gold-hour')).toBe(true)
  })

  it('of a source count its videos and list the first ten', async () => {
    const source = { kind: 'smart', where: { categories: ['Classics'] } }
    const answer = await station.must('POST', path('/source'), { source })
    expect(answer.count).toBeGreaterThan(30)
    expect(answer.items).toHaveLength(10)
  })
})

describe('a channel that is deleted and created again', () => {
  it('plays its own schedule, not that of the former one', async () => {
    const make = async (name: string) => {
      const again = await station.channelPlaying('Again', playlist)
      const blocks =
        exampleDocument()
          .blocks?.slice(0, 1)
          .map((block) => ({ ...block, name })) ?? []
      await station.publishSchedule(again, { ...exampleDocument(), blocks })
      return again
    }
    const namesOf = async (channelId: string) => {
      const { programmes } = await station.must('GET', `/api/channels/${channelId}/guide?hours=26`)
      return new Set(programmes.flatMap(({ block }: Programme) => block?.name ?? []))
    }
    const first = await make('Former Hour')
    expect(await namesOf(first)).toEqual(new Set(['Former Hour']))
    await station.must('DELETE', `/api/channels/${first}`)
    const second = await make('New Hour')
    expect(second).toBe(first)
    expect(await namesOf(second)).toEqual(new Set(['New Hour']))
  })
})

describe('users who do not edit schedules', () => {
  it.each([
    ['GET', ''],
    ['GET', '/draft'],
    ['PUT', '/draft'],
    ['PUT', '/draft/submission'],
    ['DELETE', '/draft/submission'],
    ['POST', '/preview'],
    ['POST', '/publish'],
    ['GET', '/versions'],
    ['POST', '/versions/1/restore'],
    ['DELETE', ''],
  ] as const)('may not %s schedule%s', async (method, rest) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    expect((await station.request(method, path(rest), body, station.user)).status).toBe(403)
    expect((await station.request(method, path(rest), body, null)).status).toBe(401)
  })
})
