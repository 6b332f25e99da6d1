import type { ChannelLog, LogEditResult, LogProgramme } from '@looptide/contracts/http/log'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
let id: string
let count = 0
const playlist = Array.from({ length: 30 }, (_, index) =>
  video({ title: `List ${index}`, artistName: `Band ${index}`, durationMs: 3 * MINUTE_MS + index * 1000 }),
)
const classics = Array.from({ length: 20 }, (_, index) =>
  video({ title: `Classic ${index}`, category: 'Classics', durationMs: 150_000 + index * 3000 }),
)
const extra = video({ title: 'Extra', artistName: 'Guest', durationMs: 200_000 })

/** A playlist, and from the third hour on an hour of classics that starts to the millisecond. */
function exampleDocument(): ScheduleDocument {
  const startMs = Math.ceil(station.clock.nowMs / HOUR_MS + 2) * HOUR_MS
  const text = (ms: number) => new Date(ms).toISOString().slice(11, 16)
  const hour = { from: text(startMs), to: text(startMs + HOUR_MS), start: 'hard' as const, source: 'gold' }
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
  return {
    timeZone: 'UTC',
    defaultSource: 'list',
    sources: {
      list: { kind: 'playlist' },
      gold: { kind: 'smart', where: { categories: ['Classics'] }, order: 'leastRecentlyAired' },
    },
    blocks: [{ id: 'gold-hour', name: 'Gold Hour', days: [...days], ...hour }],
  }
}

beforeAll(async () => {
  station = await TestScheduler.start()
  await station.addVideos([...classics, extra])
})
beforeEach(async () => {
  count += 1
  id = await station.channelPlaying(`Logged ${count}`, playlist)
  await station.publishSchedule(id, exampleDocument())
  await station.advance(12 * MINUTE_MS)
})
afterEach(() => station.deleteChannels())
afterAll(() => station.stop())

const path = (rest = '') => `/api/channels/${id}/log${rest}`

async function read(): Promise<{ log: ChannelLog; etag: string }> {
  const { headers, body } = await station.request('GET', path())
  return { log: body, etag: headers.get('etag') ?? '' }
}

const programmes = async (): Promise<LogProgramme[]> => (await read()).log.programmes

async function post(body: object, etag?: string) {
  const headers = { ...station.admin.headers, ...(etag !== undefined && { 'if-match': etag }) }
  return station.request('POST', path('/edits'), body, { headers })
}

/** Applies an edit with the version of the log that has been read. */
async function edit(body: object): Promise<LogEditResult> {
  const response = await post(body, (await read()).etag)
  expect(response).toMatchObject({ status: 200 })
  return response.body
}

const undo = (editId: string | null) => station.request('DELETE', path(`/edits/${editId}`))

const titles = (rows: readonly LogProgramme[]) => rows.map(({ title, kind }) => title ?? kind)
const places = (rows: readonly LogProgramme[]) =>
  rows.map(({ title, kind, startsAt, endsAt }) => [title ?? kind, startsAt, endsAt])

async function hardStart(): Promise<LogProgramme | undefined> {
  return (await programmes()).find(({ isHardStart }) => isHardStart)
}

describe('the log', () => {
  it('lists the programmes of the next 24 hours with what cannot change and what starts to the millisecond', async () => {
    const rows = await programmes()
    expect(rows[0]).toMatchObject({ isFixed: true, isChangeable: false, editId: null, breaks: [] })
    expect(rows[2]).toMatchObject({ isFixed: false, isChangeable: true })
    expect(Date.parse(rows.at(-1)?.startsAt ?? '')).toBeGreaterThan(station.clock.nowMs + 23.5 * HOUR_MS)
    const gold = await hardStart()
    expect(gold).toMatchObject({ blockName: 'Gold Hour' })
    expect(Date.parse(gold?.startsAt ?? '') % HOUR_MS).toBe(0)
    for (const [index, row] of rows.slice(1).entries()) expect(row.startsAt).toBe(rows[index]?.endsAt)
  })

  it('is refused for a channel that repeats its playlist', async () => {
    await station.must('DELETE', `/api/channels/${id}/schedule`)
    expect(await station.request('GET', path())).toMatchObject({
      status: 422,
      body: { code: 'unprocessable' },
    })
  })

  it('inserts a video at the place of a programme and keeps the hard start', async () => {
    const before = await programmes()
    const gold = await hardStart()
    const result = await edit({ action: 'insert', videoId: extra.id, before: before[4]?.programmeId })
    const after = await programmes()
    expect(places(after.slice(0, 4))).toEqual(places(before.slice(0, 4)))
    expect(after[4]).toMatchObject({ title: 'Extra', startsAt: before[4]?.startsAt, editId: result.editId })
    expect(after[5]?.title).toBe(before[4]?.title)
    expect(await hardStart()).toMatchObject({ startsAt: gold?.startsAt, blockName: 'Gold Hour' })
    expect(result.changes[0]).toMatchObject({ title: 'Extra', previousStart: null })
    expect(result.changesCount).toBeGreaterThan(1)
  })

  it('shows in a dry run what an edit would change, and changes nothing', async () => {
    const before = await programmes()
    const command = { action: 'insert', videoId: extra.id, before: before[4]?.programmeId }
    const preview = await edit({ ...command, dryRun: true })
    expect(preview.editId).toBeNull()
    expect(await programmes()).toEqual(before)
    const { editId: _editId, ...applied } = await edit(command)
    expect(preview).toMatchObject(applied)
  })

  it('names the rules that an edit breaks', async () => {
    const rules = { artistSeparationMinutes: { value: 10, strength: 'hard' as const } }
    await station.publishSchedule(id, { ...exampleDocument(), rules })
    const before = await programmes()
    const repeated = playlist.find(({ title }) => title === before[3]?.title)
    const result = await edit({
      action: 'insert',
      videoId: repeated?.id,
      before: before[5]?.programmeId,
      dryRun: true,
    })
    expect(result.breaches).toContainEqual(
      expect.objectContaining({ rule: 'artistSeparationMinutes', title: repeated?.title }),
    )
  })

  it('skips a programme: what follows moves up', async () => {
    const before = await programmes()
    const result = await edit({ action: 'skip', programmeId: before[3]?.programmeId })
    const after = await programmes()
    expect(after[3]).toMatchObject({ title: before[4]?.title, startsAt: before[3]?.startsAt })
    expect(result.changes.some(({ title }) => title === before[4]?.title)).toBe(true)
  })

  it('swaps two programmes', async () => {
    const before = await programmes()
    const { editId } = await edit({
      action: 'swap',
      programmeId: before[3]?.programmeId,
      with: before[6]?.programmeId,
    })
    const order = [0, 1, 2, 6, 4, 5, 3, 7].map((index) => before[index]?.title)
    const after = (await programmes()).slice(0, 8)
    expect(titles(after)).toEqual(order)
    const none = null
    expect(after.map((programme) => programme.editId)).toEqual([
      ...[none, none, none, editId, none, none, editId, none],
    ])
  })

  it('moves a programme, or plays it next', async () => {
    const before = await programmes()
    await edit({ action: 'move', programmeId: before[7]?.programmeId, before: before[4]?.programmeId })
    const order = [0, 1, 2, 3, 7, 4, 5, 6, 8].map((index) => before[index]?.title)
    const moved = await programmes()
    expect(titles(moved.slice(0, 9))).toEqual(order)
    await edit({ action: 'move', programmeId: moved[5]?.programmeId })
    const next = await programmes()
    const first = next.findIndex(({ isFixed }) => !isFixed)
    expect(next[first]?.title).toBe(moved[5]?.title)
  })

  it('is the one from before once all edits are undone, the latest one first', async () => {
    const before = await programmes()
    await edit({ action: 'insert', videoId: extra.id })
    const log = await programmes()
    await edit({ action: 'swap', programmeId: log[5]?.programmeId, with: log[9]?.programmeId })
    await edit({ action: 'skip', programmeId: (await programmes())[5]?.programmeId })
    const { edits } = (await read()).log
    expect(edits.map(({ action, isUndoable }) => [action, isUndoable])).toEqual([
      ['skip', true],
      ['swap', false],
      ['insert', true],
    ])
    expect(await undo(edits[1]?.id ?? '')).toMatchObject({ status: 409, body: { code: 'conflict' } })
    for (const { id: editId } of edits) expect(await undo(editId)).toMatchObject({ status: 200 })
    expect(places(await programmes())).toEqual(places(before))
    expect(await undo(edits[0]?.id ?? '')).toMatchObject({ status: 404 })
  })

  it('keeps an edit through a changed library, another publication, a restart and the passing of time', async () => {
    const before = await programmes()
    await edit({ action: 'insert', videoId: extra.id, before: before[12]?.programmeId })
    await edit({ action: 'skip', programmeId: (await programmes())[15]?.programmeId })
    const edited = await programmes()
    await station.addVideos([video({ title: 'Fresh', category: 'Classics' })])
    await station.publishSchedule(id, { ...exampleDocument(), freezeMinutes: 5 })
    await station.addReplica()
    await station.advance(30 * MINUTE_MS, 10 * MINUTE_MS)
    const onAir = await programmes()
    const place = (await programmes()).findIndex(({ title }) => title === 'Extra')
    expect(onAir[place]).toMatchObject({ startsAt: edited[12]?.startsAt })
    expect(titles(onAir.slice(0, place + 3))).not.toContain(before[14]?.title)
    await station.advance(3 * HOUR_MS, 10 * MINUTE_MS)
    expect((await read()).log.edits).toEqual([])
    const aired = await station.must('GET', `/api/channels/${id}/air-log?limit=100`)
    const names = aired.items.map(({ title }: { title: string }) => title)
    expect(names.filter((title: string) => title === 'Extra')).toHaveLength(1)
  })

  it('refuses an edit of an outdated log', async () => {
    const { log, etag } = await read()
    const command = { action: 'skip', programmeId: log.programmes[3]?.programmeId }
    await edit({ action: 'insert', videoId: extra.id })
    expect(await post(command, etag)).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
    expect(await post(command)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  it('refuses to change the programme on the air', async () => {
    const [onAir, , later] = await programmes()
    const ids = [onAir?.programmeId, later?.programmeId]
    const commands = [
      { action: 'skip', programmeId: ids[0] },
      { action: 'move', programmeId: ids[0], before: ids[1] },
      { action: 'insert', videoId: extra.id, before: ids[0] },
      { action: 'swap', programmeId: ids[1], with: ids[0] },
    ]
    for (const command of commands) {
      expect(await post(command)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    }
  })

  it('refuses videos that are unknown, cannot be played or do not fit before a hard start', async () => {
    const hidden = video({ title: 'Unavailable', metadataStatus: 'unavailable' })
    await station.addVideos([hidden])
    for (const videoId of [hidden.id, video().id]) {
      expect(await post({ action: 'insert', videoId })).toMatchObject({ status: 422 })
    }
    const long = video({ title: 'Long', durationMs: 5 * HOUR_MS })
    await station.addVideos([long])
    expect(await post({ action: 'insert', videoId: long.id })).toMatchObject({ status: 422 })
    expect((await read()).log.edits).toEqual([])
  })

  it('records each edit in the audit log and publishes the change', async () => {
    const changed: string[] = []
    const audited: unknown[] = []
    await station.settle()
    await station.listen('stream.timeline.changed.v1', ({ data }) => changed.push(data.channelId))
    await station.listen('stream.audit.recorded.v1', ({ data }) => audited.push(data))
    const { editId } = await edit({ action: 'insert', videoId: extra.id })
    await undo(editId)
    await station.settle()
    expect(changed.filter((channelId) => channelId === id)).toHaveLength(2)
    const details = { edit: 'insert', title: 'Extra', channelName: `Logged ${count}` }
    expect(audited).toMatchObject([
      { action: 'log.insert', targetId: id, details },
      { action: 'log.undo', targetId: id, details },
    ])
  })
})
