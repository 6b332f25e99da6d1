import type { NowState, Programme } from '@looptide/contracts/http/channels'
import type { Video } from '@looptide/contracts/http/videos'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GUARD_MS } from '../src/timeline/rules.ts'
import { MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start({ replicas: 2 })
})
afterAll(() => station.stop())

/** A channel under test, with its videos. */
class ChannelUnderTest {
  readonly channelId: string
  readonly videos: Video[]
  shuffle = false
  constructor(channelId: string, videos: Video[]) {
    this.channelId = channelId
    this.videos = videos
  }

  async items(): Promise<{ id: string; videoId: string }[]> {
    return (await station.must('GET', `/api/channels/${this.channelId}/playlist`)).items
  }

  /** Whether the artists' counts allow an order without repeats. */
  async isSeparable(): Promise<boolean> {
    const byId = new Map(this.videos.map((known) => [known.id, known]))
    const played = (await this.items()).flatMap(({ videoId }) => {
      const known = byId.get(videoId)
      return known?.metadataStatus === 'resolved' ? [known] : []
    })
    const sizes = [...Map.groupBy(played, (known) => known.artistName).values()].map((group) => group.length)
    return played.length > 1 && Math.max(...sizes) * 2 <= played.length
  }
}

interface Step {
  kind: string
  pick: number
  minutes: number
}
const kinds = ['add', 'remove', 'order', 'shuffle', 'length', 'hide', 'restart', 'advance', 'crash']
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds, 'advance', 'add'),
    pick: fc.nat(1000),
    minutes: fc.integer({ min: 0, max: 150 }),
  }),
  { minLength: 4, maxLength: 14 },
)

async function perform(channel: ChannelUnderTest, { kind, pick, minutes }: Step): Promise<void> {
  const path = `/api/channels/${channel.channelId}`
  const chosen = channel.videos[pick % channel.videos.length]!
  switch (kind) {
    case 'add': {
      const fresh = video({ artistName: `Band ${pick % 5}`, durationMs: 30_000 + pick * 400 })
      await station.addVideos([fresh])
      channel.videos.push(fresh)
      await station.must('POST', `${path}/playlist`, { videoIds: [fresh.id] })
      return
    }
    case 'remove': {
      const items = await channel.items()
      const item = items[pick % items.length]
      if (item !== undefined && items.length > 2) await station.must('DELETE', `${path}/playlist/${item.id}`)
      return
    }
    case 'order': {
      const itemIds = (await channel.items()).map((item) => item.id)
      itemIds.splice(pick % itemIds.length, 0, itemIds.pop()!)
      await station.must('PUT', `${path}/playlist/order`, { itemIds })
      return
    }
    case 'shuffle':
      channel.shuffle = !channel.shuffle
      await station.must('PATCH', path, { shuffleEnabled: channel.shuffle })
      return
    case 'length':
    case 'hide':
      if (kind === 'length') chosen.durationMs = 20_000 + pick * 500
      else chosen.metadataStatus = chosen.metadataStatus === 'resolved' ? 'unavailable' : 'resolved'
      await station.publish(['catalogue.video.updated.v1', chosen.id, { video: { ...chosen } }])
      return
    case 'restart':
      await station.request('POST', `${path}/stream`, { action: 'start' })
      return
    case 'crash': {
      const [closed] = station.replicas.splice(pick % 2, 1)
      await closed!.close()
      await station.addReplica()
      return
    }
    default:
      await station.advance(minutes * MINUTE_MS + pick, 50 * MINUTE_MS)
  }
}

/** The programmes that an edit must not change: those on the air and within the guard interval. */
const fixedPart = (now: NowState): Programme[] =>
  now.programmes.filter((programme) => programme.startsAtMs <= now.serverNowMs + GUARD_MS)
const times = (programmes: readonly Programme[]) =>
  programmes.map(({ seq, videoId, startsAtMs, endsAtMs }) => ({ seq, videoId, startsAtMs, endsAtMs }))

test('any sequence of edits keeps the current programme, leaves no gap or overlap, and separates artists', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(4), steps, async (artists, script) => {
      const videos = Array.from({ length: 4 + artists }, (_, index) =>
        video({ artistName: `Band ${index % 5}` }),
      )
      const channel = new ChannelUnderTest(await station.channelPlaying('Property', videos), videos)
      for (const step of script) {
        const before = await station.now(channel.channelId)
        await perform(channel, step)
        await station.settle()
        const now = await station.now(channel.channelId)
        if (!['advance', 'restart'].includes(step.kind) && before.programmes.length > 0) {
          const kept = times(fixedPart(before))
          expect(times(now.programmes.slice(0, kept.length))).toEqual(kept)
        }
        for (const [index, programme] of now.programmes.slice(1).entries()) {
          expect(programme.startsAtMs).toBe(now.programmes[index]!.endsAtMs)
        }
        if (channel.shuffle && (await channel.isSeparable())) {
          const held = fixedPart(now).length
          const bands = now.programmes.slice(Math.max(0, held - 1)).map((p) => p.video?.artistName)
          expect(bands.filter((band, index) => index > 0 && band === bands[index - 1])).toEqual([])
        }
        const other = await station.now(channel.channelId, station.replicas[1])
        expect(other.programmes).toEqual(now.programmes)
      }
      await expectCompleteAirLog(channel.channelId)
      await station.must('DELETE', `/api/channels/${channel.channelId}`)
    }),
    { numRuns: 8 },
  )
})

async function expectCompleteAirLog(channelId: string): Promise<void> {
  const rows = await station.db
    .selectFrom('airLog')
    .selectAll()
    .where('channelId', '=', channelId)
    .orderBy('seq')
    .execute()
  for (const [index, row] of rows.slice(1).entries()) {
    expect(row.startedAtMs).toBe(rows[index]!.endedAtMs)
    expect(row.seq).toBe(rows[index]!.seq + 1)
  }
}
