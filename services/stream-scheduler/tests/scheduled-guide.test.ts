import type { Guide, Programme } from '@looptide/contracts/http/channels'
import type { Announced, StationGuide } from '@looptide/contracts/http/guide'
import type { StationOverview } from '@looptide/contracts/http/overview'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import ICAL from 'ical.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

const DAY_MS = 24 * HOUR_MS

let station: TestScheduler
let id: string
let fromMs: number
beforeAll(async () => {
  station = await TestScheduler.start()
  const videos = Array.from({ length: 30 }, (_, index) =>
    video({ title: `Song ${index}`, artistName: `Band ${index}`, durationMs: 180_000 + index * 1000 }),
  )
  station.clock.nowMs = Math.floor(station.clock.nowMs / HOUR_MS) * HOUR_MS + 30 * MINUTE_MS
  fromMs = station.clock.nowMs - 30 * MINUTE_MS
  id = await station.channelPlaying('Programmed', videos)
  await publish(schedule())
})
afterAll(() => station.stop())

const publish = (document: ScheduleDocument): Promise<void> => station.publishSchedule(id, document)

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 16)

/** A block of three hours with a card before each two videos, and specials tomorrow, in a week and in three weeks. */
function schedule(name = 'Gold Hours'): ScheduleDocument {
  const special = (specialId: string, daysAhead: number) => ({
    id: specialId,
    name: `Special ${specialId}`,
    description: 'Once.',
    at: new Date(fromMs + daysAhead * DAY_MS + 3 * HOUR_MS).toISOString().slice(0, 16),
    durationMs: HOUR_MS,
    start: 'hard' as const,
    source: 'list',
  })
  return {
    timeZone: 'UTC',
    freezeMinutes: 0,
    defaultSource: 'list',
    sources: { list: { kind: 'playlist' } },
    clocks: {
      gold: [
        { ident: 'next', durationMs: 8000 },
        { source: 'list', count: 2 },
        { ident: 'previous', durationMs: 8000 },
      ],
    },
    blocks: [
      {
        id: 'gold',
        name,
        description: 'Forty years of hits.',
        colour: '#f59e0b',
        days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        from: timeOf(fromMs + 4 * HOUR_MS),
        to: timeOf(fromMs + 7 * HOUR_MS),
        start: 'hard',
        clock: 'gold',
      },
    ],
    specials: [special('today', 0), special('week', 7), special('later', 21)],
  }
}

const channelGuide = (fromMs: number, hours: number): Promise<Guide> =>
  station.must('GET', `/api/channels/${id}/guide?fromMs=${fromMs}&hours=${hours}`)

async function row() {
  const guide: StationGuide = await station.must('GET', '/api/guide?limit=100')
  return guide.items.find(({ channelId }) => channelId === id)!
}

it('groups the programmes by block, from start to end, and lists no cards as tracks', async () => {
  const { blocks } = await row()
  const gold = blocks.filter(({ block }) => block?.id === 'gold')
  expect(gold).toMatchObject([
    {
      startsAtMs: fromMs + 4 * HOUR_MS,
      block: { name: 'Gold Hours', description: 'Forty years of hits.', colour: '#f59e0b' },
    },
  ])
  const { programmes } = await channelGuide(fromMs, 26)
  const inGold = programmes.filter(({ block }) => block?.id === 'gold' && block !== null)
  const own = inGold.filter(({ startsAtMs }) => startsAtMs < gold[0]!.endsAtMs)
  expect(own.some(({ kind }) => kind === 'ident')).toBe(true)
  expect(gold[0]!.trackCount).toBe(own.filter(({ kind }) => kind === 'video').length)
  expect(gold[0]!.endsAtMs).toBe(own.at(-1)!.endsAtMs)
  for (const [index, block] of blocks.slice(1).entries()) {
    expect(block.startsAtMs).toBe(blocks[index]!.endsAtMs)
  }
  expect(blocks.find(({ block }) => block?.id === 'today')).toMatchObject({
    startsAtMs: fromMs + 3 * HOUR_MS,
    endsAtMs: fromMs + 4 * HOUR_MS,
  })
})

it('announces the blocks of the schedule after the end of the timeline, without tracks', async () => {
  const laterMs = fromMs + 47 * HOUR_MS
  const guide: StationGuide = await station.must('GET', `/api/guide?limit=100&fromMs=${laterMs}`)
  const later = guide.items.find(({ channelId }) => channelId === id)!
  expect(later.endsAtMs).toBeLessThan(laterMs)
  expect(later.blocks).toMatchObject([
    {
      startsAtMs: fromMs + 52 * HOUR_MS,
      endsAtMs: fromMs + 55 * HOUR_MS,
      trackCount: 0,
      artists: [],
      block: { id: 'gold', name: 'Gold Hours' },
    },
  ])
})

it('announces to audience what comes, with its blocks, the blocks after the timeline, and specials', async () => {
  const headers = { 'x-internal-token': station.identity.internalToken }
  const read = (channelId: string, person: { headers: Record<string, string> } = { headers }) =>
    station.request('GET', `/internal/channels/${channelId}/announced`, undefined, person)
  const announced: Announced = (await read(id)).body
  const { timelineVersion, programmes: planned } = await channelGuide(station.clock.nowMs, 24)
  expect(announced).toMatchObject({ channelId: id, name: 'Programmed', isActive: true, timelineVersion })
  expect(announced.programmes.slice(0, planned.length)).toEqual(
    planned.map((programme) => ({
      ...{ id: programme.id, videoId: programme.videoId },
      ...{ startsAtMs: programme.startsAtMs, endsAtMs: programme.endsAtMs },
      title: programme.video?.title ?? '',
      artistName: programme.video?.artistName ?? '',
      ...{ blockId: programme.block?.id ?? null, blockName: programme.block?.name ?? null },
    })),
  )
  const gold = announced.programmes.find(({ blockId }) => blockId === 'gold')
  expect(gold).toMatchObject({ blockName: 'Gold Hours', startsAtMs: fromMs + 4 * HOUR_MS })
  expect(announced.laterBlocks).toEqual([{ id: 'gold', name: 'Gold Hours' }])
  const startsAtMs = fromMs + 3 * HOUR_MS
  expect(announced.specials).toEqual([
    { id: 'today', name: 'Special today', startsAtMs, endsAtMs: startsAtMs + HOUR_MS },
    {
      ...{ id: 'week', name: 'Special week' },
      ...{ startsAtMs: startsAtMs + 7 * DAY_MS, endsAtMs: startsAtMs + 7 * DAY_MS + HOUR_MS },
    },
  ])
  expect((await read('nowhere')).status).toBe(404)
  expect((await read(id, station.admin)).status).toBe(404)
})

it('says what was on before a card "you just saw", also long before it is on', async () => {
  const { programmes } = await channelGuide(fromMs + 4 * HOUR_MS, 2)
  const isPrevious = (programme: Programme) => programme.kind !== 'video' && programme.ident === 'previous'
  const at = programmes.findIndex(isPrevious)
  const card = programmes[at]
  expect(card?.kind !== 'video' && card?.previous).toEqual(programmes[at - 1]?.video)
  expect(
    programmes.some((one) => one.kind !== 'video' && one.ident === 'next' && one.previous === null),
  ).toBe(true)
})

it('announces specials of the next 14 days, in the station guide, the channel guide and both feeds', async () => {
  const specials = [
    { id: 'today', name: 'Special today', description: 'Once.', colour: null },
    { id: 'week', name: 'Special week', startsAtMs: fromMs + 7 * DAY_MS + 3 * HOUR_MS },
  ]
  expect((await row()).specials).toMatchObject(specials)
  expect((await channelGuide(fromMs, 1)).specials).toMatchObject(specials)

  const calendar = await (await fetch(`${station.first.url}/api/channels/${id}/guide.ics`)).text()
  const events = new ICAL.Component(ICAL.parse(calendar))
    .getAllSubcomponents('vevent')
    .map((event) => new ICAL.Event(event))
  const named = (summary: string) => events.filter((event) => event.summary === summary)
  expect(named('Gold Hours')).toMatchObject([
    { description: expect.stringMatching(/^Forty years of hits\.\n\nSong/) },
  ])
  expect(named('Special today')).toHaveLength(1)
  expect(named('Special week').map((event) => event.startDate.toJSDate().getTime())).toEqual([
    fromMs + 7 * DAY_MS + 3 * HOUR_MS,
  ])
  expect(named('Special later')).toEqual([])
  const uids = events.map(({ uid }) => uid)
  expect(new Set(uids).size).toBe(uids.length)

  const xmltv = await (await fetch(`${station.first.url}/api/guide.xml`)).text()
  const times = [...xmltv.matchAll(/<programme start="([^"]+)" stop="([^"]+)"[^>]*><title>([^<]*)/g)]
  const planned = times.slice(
    0,
    times.findIndex(([, , , title]) => title === 'Special week'),
  )
  expect(planned.length).toBeGreaterThan(0)
  for (const [index, [, start]] of planned.slice(1).entries()) expect(start).toBe(planned[index]![2])
  expect(xmltv).toContain('<keyword>Gold Hours</keyword>')
  expect(xmltv).toContain('<title>Special week</title><desc>Once.</desc>')
  expect(xmltv).not.toContain('Special later')
})

const overview = async () => {
  const { channels }: StationOverview = await station.must('GET', '/api/channels/overview')
  return channels.find(({ channelId }) => channelId === id)!
}

it('the overview says what is on and next, when the next hard start is, and what is wrong', async () => {
  const { programmes, nextHardStart, problems, status } = await overview()
  const [current, next] = programmes
  expect(status).toBe('live')
  expect(current!.startsAtMs).toBeLessThanOrEqual(station.clock.nowMs)
  expect(current!.endsAtMs).toBeGreaterThan(station.clock.nowMs)
  expect(next!.startsAtMs).toBe(current!.endsAtMs)
  expect(current!.title).toMatch(/^Song /)
  expect(nextHardStart).toEqual({ name: 'Special today', startsAtMs: fromMs + 3 * HOUR_MS })
  expect(problems).toEqual([])
})

it('shows a new name of a block at once, in the guide and in the feeds', async () => {
  await publish(schedule('Golden Hours'))
  expect((await row()).blocks.some(({ block }) => block?.name === 'Golden Hours')).toBe(true)
  for (const path of ['/api/guide.xml', `/api/channels/${id}/guide.ics`]) {
    expect(await (await fetch(station.first.url + path)).text(), path).toContain('Golden Hours')
  }
})

it('announces nothing while the channel is off the air', async () => {
  await station.must('POST', `/api/channels/${id}/stream`, { action: 'stop' })
  expect((await row()).specials).toEqual([])
  const off = { programmes: [], nextHardStart: null, problems: [{ text: 'The stream is stopped.' }] }
  expect(await overview()).toMatchObject(off)
})
