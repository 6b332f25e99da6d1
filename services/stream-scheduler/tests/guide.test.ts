import { request as httpRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import type { Programme } from '@looptide/contracts/http/channels'
import type { GuideRow, StationGuide } from '@looptide/contracts/http/guide'
import ICAL from 'ical.js'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
  // Half past the hour: the guide has programmes before, at and after the current one within an hour.
  station.clock.nowMs = Math.floor(station.clock.nowMs / HOUR_MS) * HOUR_MS + 30 * MINUTE_MS
})
afterAll(() => station.stop())

const hourMs = () => station.clock.nowMs - (station.clock.nowMs % HOUR_MS)

async function stationGuide(query = ''): Promise<StationGuide> {
  const { status, body } = await station.request('GET', `/api/guide${query}`, undefined, null)
  expect(status).toBe(200)
  return body
}

async function rowOf(channelId: string, query = '?limit=100'): Promise<GuideRow> {
  return (await stationGuide(query)).items.find((row) => row.channelId === channelId)!
}

async function programmesOf(channelId: string, fromMs: number, hours = 24): Promise<Programme[]> {
  const path = `/api/channels/${channelId}/guide?fromMs=${fromMs}&hours=${hours}`
  return (await station.must('GET', path, undefined, null)).programmes
}

/** The programmes of the XMLTV file, which is longer than the guide: the current hour and 36 more. */
async function programmesOfXmltv(channelId: string, fromMs: number): Promise<Programme[]> {
  const first = await programmesOf(channelId, fromMs, 24)
  const rest = await programmesOf(channelId, fromMs + 24 * HOUR_MS, 13)
  return [...first, ...rest.filter(({ seq }) => seq > first.at(-1)!.seq)]
}

/** The raw HTTP response, not decompressed. */
function raw(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const asked = httpRequest(station.first.url + path, { headers }, (response) => {
        const { statusCode: status, headers } = response
        buffer(response).then((body) => resolve({ status: status!, headers, body }), reject)
      })
      asked.on('error', reject).end()
    },
  )
}

test('lists every active channel by position, in blocks with exactly the programmes of its own guide', async () => {
  const rock = await station.channelPlaying('Rock', [
    video({ artistName: 'Adele', durationMs: 254_321 }),
    video({ artistName: 'Queen' }),
    video({ artistName: 'Concert', title: 'A whole evening', durationMs: 45 * MINUTE_MS }),
  ])
  const jazz = await station.channelPlaying('Jazz', [video()])
  const hidden = await station.channelPlaying('Hidden', [video()])
  await station.must('PATCH', `/api/channels/${hidden}`, { isActive: false })

  const guide = await stationGuide()
  expect(guide).toMatchObject({ fromMs: hourMs(), toMs: hourMs() + 24 * HOUR_MS, nextCursor: null })
  expect(guide.items.map((row) => row.channelId)).toEqual(['default', rock, jazz])
  for (const row of guide.items) {
    const programmes = await programmesOf(row.channelId, guide.fromMs)
    let at = 0
    for (const block of row.blocks) {
      const tracks = programmes.slice(at, at + block.trackCount)
      expect(block.startsAtMs).toBe(tracks[0]!.startsAtMs)
      expect(block.endsAtMs).toBe(tracks.at(-1)!.endsAtMs)
      const names = [...new Set(tracks.map((track) => track.video?.artistName))]
      expect(block.artists).toEqual(names.slice(0, 3))
      expect(block.artistCount).toBe(names.length)
      expect(block.title).toBe(tracks.length === 1 ? tracks[0]!.video?.title : null)
      at += block.trackCount
    }
    expect(at).toBe(programmes.length)
    if (row.channelId === 'default') continue
    const [onAir] = row.nowAndNext
    expect(onAir!.startsAtMs).toBeLessThanOrEqual(station.clock.nowMs)
    expect(onAir!.endsAtMs).toBeGreaterThan(station.clock.nowMs)
  }
  expect(guide.items[1]!.blocks.some((block) => block.title === 'A whole evening')).toBe(true)
})

test('is read by pages of channels, and from any quarter of an hour', async () => {
  const first = await stationGuide('?limit=2')
  expect(first.items).toHaveLength(2)
  const second = await stationGuide(`?limit=2&cursor=${first.nextCursor}`)
  expect(second.items.map((row) => row.channelId)).toEqual(['jazz'])
  expect(second.nextCursor).toBeNull()
  const later = await stationGuide(`?fromMs=${hourMs() + 15 * MINUTE_MS}&hours=2`)
  expect(later.toMs).toBe(hourMs() + 15 * MINUTE_MS + 2 * HOUR_MS)
  expect(later.items[1]!.blocks.at(-1)!.startsAtMs).toBeLessThan(later.toMs)
  for (const refused of [
    `fromMs=${hourMs() + 1}`,
    'hours=25',
    'hours=0',
    'limit=101',
    'cursor=x',
    'who=me',
  ]) {
    expect((await raw(`/api/guide?${refused}`)).status, refused).toBe(400)
  }
})

test('is the same for all clients until a channel changes, with ETag and gzip', async () => {
  const first = await raw('/api/guide')
  expect(first.headers['cache-control']).toBe('public, no-cache')
  const again = await raw('/api/guide', { 'if-none-match': String(first.headers.etag) })
  expect(again.status).toBe(304)
  const zipped = await raw('/api/guide', { 'accept-encoding': 'gzip, br' })
  expect(zipped.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(zipped.body).toString()).toBe(first.body.toString())
  expect(
    (await raw('/api/guide', { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding'],
  ).toBeUndefined()
  await station.must('PATCH', '/api/channels/jazz', { name: 'Smooth Jazz' })
  const changed = await raw('/api/guide', { 'if-none-match': String(first.headers.etag) })
  expect(changed.status).toBe(200)
  expect(changed.body.toString()).toContain('Smooth Jazz')
})

test('contains an extension or edit of a timeline at once, and both are published', async () => {
  const [a, b] = [video({ artistName: 'Before' }), video({ artistName: 'After' })]
  const id = await station.channelPlaying('Growing', [a])
  const extended: unknown[] = []
  const changed: unknown[] = []
  await station.listen('stream.timeline.extended.v1', (event) => extended.push(event.data))
  await station.listen('stream.timeline.changed.v1', (event) => changed.push(event.data))
  const before = await rowOf(id)

  await station.advance(2 * HOUR_MS, 30 * MINUTE_MS)
  await station.settle()
  const after = await rowOf(id)
  expect(after.endsAtMs).toBeGreaterThan(before.endsAtMs!)
  expect(after.timelineVersion).toBe(before.timelineVersion)
  await expect
    .poll(() => extended)
    .toContainEqual({
      channelId: id,
      timelineVersion: after.timelineVersion,
      endsAtMs: after.endsAtMs,
    })

  await station.addVideos([b])
  await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [b.id] })
  const edited = await rowOf(id)
  expect(edited.timelineVersion).toBeGreaterThan(after.timelineVersion)
  expect(edited.blocks.at(-1)!.artists).toContain('After')
  await station.settle()
  await expect
    .poll(() => changed)
    .toContainEqual(expect.objectContaining({ channelId: id, timelineVersion: edited.timelineVersion }))
})

test('XMLTV contains the same programmes, as an independent parser reads them', async () => {
  await station.channelPlaying('Tricky & <odd>', [
    video({ title: 'Rock & "Roll" <live>', artistName: 'Ümläut ]]>', thumbnailUrl: '/test-card/a.png' }),
  ])
  const answer = await raw('/api/guide.xml')
  expect(answer.status).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/xml; charset=utf-8',
    'cache-control': 'public, max-age=300',
  })
  const channels = new Map<string, string>()
  const programmes: { channel: string; start: string; stop: string; title: string; artist: string }[] = []
  let text = ''
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  let channel = ''
  parser.on('opentag', ({ name, attributes }) => {
    text = ''
    if (name === 'channel') channel = attributes.id as string
    if (name === 'programme')
      programmes.push({
        channel: String(attributes.channel),
        start: String(attributes.start),
        stop: String(attributes.stop),
        title: '',
        artist: '',
      })
  })
  parser.on('text', (part) => {
    text += part
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'display-name') channels.set(channel, text)
    if (name === 'title') programmes.at(-1)!.title = text
    if (name === 'sub-title') programmes.at(-1)!.artist = text
  })
  parser.write(answer.body.toString()).close()

  const { items, fromMs } = await stationGuide()
  expect([...channels.values()]).toEqual(items.map((row) => row.name))
  for (const row of items) {
    const expected = (await programmesOfXmltv(row.channelId, fromMs)).map(
      ({ startsAtMs, endsAtMs, video }) => ({
        start: at(startsAtMs),
        stop: at(endsAtMs),
        title: video?.title,
        artist: video?.artistName,
      }),
    )
    const read = programmes.filter((it) => it.channel === `${row.channelId}.localhost`)
    expect(read.map(({ channel: _, ...it }) => it)).toEqual(expected)
    if (row.endsAtMs !== null) expect(read.at(-1)!.stop >= at(station.clock.nowMs + 36 * HOUR_MS)).toBe(true)
  }
})

const at = (epochMs: number): string =>
  `${new Date(epochMs).toISOString().replace(/\D/g, '').slice(0, 14)} +0000`

test('the calendar contains the same blocks, and an event keeps its UID through edits and hours', async () => {
  const id = await station.channelPlaying('Calendar', [video({ artistName: 'Kept' }), video()])
  const calendar = async () => {
    const answer = await raw(`/api/channels/${id}/guide.ics`)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8')
    const component = new ICAL.Component(ICAL.parse(answer.body.toString()))
    return component.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))
  }
  const times = (events: ICAL.Event[]) =>
    new Map(events.map((event) => [event.uid, event.startDate.toJSDate().getTime()] as const))

  const first = await calendar()
  const programmes = await programmesOf(id, hourMs())
  expect(times(first).size).toBe(first.length)
  for (const [index, event] of first.entries()) {
    const startMs = event.startDate.toJSDate().getTime()
    const endMs = event.endDate.toJSDate().getTime()
    expect(programmes.some((p) => Math.floor(p.startsAtMs / 1000) * 1000 === startMs)).toBe(true)
    if (index > 0) expect(first[index - 1]!.endDate.toJSDate().getTime()).toBe(startMs)
    expect(endMs).toBeGreaterThan(startMs)
  }
  expect(first[0]!.summary).toContain('Kept')

  await station.advance(HOUR_MS, 20 * MINUTE_MS)
  const later = times(await calendar())
  for (const [uid, startMs] of [...times(first)].slice(1)) expect(later.get(uid)).toBe(startMs)

  const added = video()
  await station.addVideos([added])
  await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [added.id] })
  const edited = await calendar()
  expect([...times(edited).keys()].slice(0, 20)).toEqual([...later.keys()].slice(0, 20))
  expect(edited[0]!.sequence).toBeGreaterThan(first[0]!.sequence)
  expect((await raw('/api/channels/no-such/guide.ics')).status).toBe(404)

  await station.must('POST', `/api/channels/${id}/stream`, { action: 'stop' })
  expect((await calendar()).map(({ summary }) => summary)).toEqual(['Off the air'])
})
