import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkSchedule } from '@looptide/planner/check-schedule'
import type { LibraryVideo } from '@looptide/planner/library'
import { planSchedule } from '@looptide/planner/plan-schedule'
import { faultsOf } from '@looptide/planner/testing/check-plan'
import { parseDuration } from '@looptide/playhead/duration'
import { describe, expect, it } from 'vitest'
import { DEMO_VIDEOS, demoVideoId, testCardVideoId } from '../../services/catalogue/src/demo/demo-videos.ts'
import { readDemoSchedule } from '../../services/stream-scheduler/src/demo/night-and-day.ts'

const DAY_MS = 86_400_000
const SEED = 'demo:night-and-day'

interface Clip {
  file: string
  title: string
  artistName: string
  durationMs: number
}
const index = fileURLToPath(new URL('../../web/public/test-card/index.json', import.meta.url))
const clips = JSON.parse(readFileSync(index, 'utf8')) as Clip[]

/** The demo library without the clips, which are not public. */
const library: LibraryVideo[] = [
  ...DEMO_VIDEOS.map(({ youtubeId, duration, ...video }) => ({
    ...video,
    id: demoVideoId(youtubeId),
    durationMs: parseDuration(duration) ?? Number.NaN,
    isListed: true,
  })),
  ...clips.map(({ file, ...clip }) => ({
    ...clip,
    id: testCardVideoId(file),
    category: null,
    genre: 'Test Card',
    isListed: false,
  })),
].map((video, at) => ({ ...video, tags: [], addedAtMs: at, likes: 0 }))
const playlists = new Map([['', clips.map(({ file }) => ({ itemId: file, videoId: testCardVideoId(file) }))]])

const plan = async (startsAt: string, videos = library) => {
  const fromMs = Date.parse(startsAt)
  const toMs = fromMs + 7 * DAY_MS
  const document = await readDemoSchedule(fromMs)
  const input = { document, library: videos, playlists, history: [], seed: SEED, state: null, fromMs, toMs }
  const { programmes } = planSchedule(input)
  return { programmes, faults: faultsOf(document, videos, [], programmes, fromMs, toMs) }
}

describe('the schedule of the demo channel', () => {
  it('has the parts of a real one and no problem', async () => {
    const nowMs = Date.parse('2026-11-23T12:00:00Z')
    const document = await readDemoSchedule(nowMs)
    expect(checkSchedule(document, { library, playlists, nowMs })).toEqual([])
    expect(document.blocks).toHaveLength(8)
    expect(Object.keys(document.clocks ?? {})).toHaveLength(4)
    const strengths = Object.values(document.rules ?? {}).map((rule) => 'strength' in rule && rule.strength)
    expect(new Set(strengths)).toEqual(new Set(['hard', 'soft']))
  })

  it('calls no video liked in the guide, as nobody can like one yet', async () => {
    const { blocks = [], specials = [] } = await readDemoSchedule(Date.parse('2026-11-23T12:00:00Z'))
    const texts = [...blocks, ...specials].flatMap(({ name, description = '' }) => [name, description])
    expect(texts).toContain('Chart Show')
    expect(texts.filter((text) => /lik(e|ing)/i.test(text))).toEqual([])
  })

  it.each([
    ['2026-11-23T12:00:00Z', '2026-11-28', '2026-12-24'],
    ['2026-12-26T12:00:00Z', '2027-01-02', '2026-12-24'],
    ['2026-12-28T12:00:00Z', '2027-01-02', '2027-12-24'],
  ])('has its specials after %s', async (now, chart, holiday) => {
    const { specials, overrides } = await readDemoSchedule(Date.parse(now))
    expect(specials?.[0]?.at).toBe(`${chart}T17:00`)
    expect(overrides?.[0]?.from).toBe(holiday)
  })

  it.each(['2026-11-23T09:13:00Z', '2026-12-21T18:40:00Z', '2027-03-12T03:00:00Z'])(
    'plans a week from %s without a breach of a hard rule, a video cut short or an emergency ident',
    async (startsAt) => {
      const { programmes, faults } = await plan(startsAt)
      expect(faults).toEqual([])
      expect(programmes.filter(({ isCutShort }) => isCutShort)).toEqual([])
      const idents = programmes.filter(({ kind, reason }) => kind === 'ident' && reason.slot === null)
      expect(idents).toEqual([])
      const shows = new Set(programmes.map(({ reason }) => reason.blockId ?? reason.specialId))
      expect(shows.size).toBeGreaterThanOrEqual(8)
    },
  )

  it('plays the clips of the station when no other video is left', async () => {
    const own = library.filter(({ isListed }) => !isListed)
    const { programmes, faults } = await plan('2026-11-23T09:13:00Z', own)
    expect(faults).toEqual([])
    expect(programmes.filter(({ reason }) => reason.source === 'clips').length).toBeGreaterThan(100)
  })
})
