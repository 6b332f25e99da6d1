import type { CardProgramme, Programme, VideoProgramme } from '@looptide/contracts/http/channels'
import { NowPlaying } from '@looptide/contracts/http/now-playing'
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { type ChannelFacts, nowPlayingOf, stationNumber } from './now-playing.ts'

const SITE = { siteUrl: 'https://station.test', brandName: 'Looptide' }
const VIDEO = '0b8c8f5e-6a3d-4a1e-9a77-3c2f3b1d9e10'

const programme = (seq: number, startsAtMs: number, endsAtMs: number, isLive = false): VideoProgramme => ({
  ...{ id: `main.${seq}.1`, channelId: 'main', seq, startsAtMs, endsAtMs, block: null },
  ...{ kind: 'video', videoId: VIDEO, reason: { source: 'gold', number: null, count: null } },
  video: {
    ...{ id: VIDEO, title: `Song ${seq}`, artistName: 'Artist', genre: 'Pop', description: '' },
    ...{ duration: '3:00', durationMs: 180_000, startAtMs: 0, mediaDurationMs: 180_000 },
    ...{ thumbnailUrl: '/pictures/a.webp', youtubeId: null, mediaUrl: '/a.mp4' },
  },
  ...(isLive ? { isLive } : {}),
})
const card = (seq: number, startsAtMs: number, endsAtMs: number): CardProgramme => ({
  ...{ id: `main.${seq}.1`, channelId: 'main', seq, startsAtMs, endsAtMs, block: null },
  ...{ kind: 'ident', ident: null, previous: null, videoId: null, video: null },
})
const facts = (programmes: readonly Programme[], changes: Partial<ChannelFacts> = {}): ChannelFacts => ({
  channel: { id: 'main', name: 'Main', description: null },
  ...{ status: 'live', programmes, viewers: 3, history: [] },
  ...changes,
})

describe('what is on', () => {
  it('has an elapsed and a remaining time that add up to the duration, at every instant', () => {
    const instant = fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 })
    const length = fc.integer({ min: 1, max: 14_400_000 })
    fc.assert(
      fc.property(instant, length, length, fc.double({ min: 0, max: 1, noNaN: true }), (start, a, b, at) => {
        const programmes = [programme(1, start, start + a), programme(2, start + a, start + a + b)]
        const nowMs = start + Math.floor(at * (a + b - 1))
        const answer = nowPlayingOf(facts(programmes), SITE, nowMs)
        const { elapsed, remaining, duration, played_at, sh_id } = answer.now_playing
        expect(Check(NowPlaying, answer)).toBe(true)
        expect(elapsed).toBeGreaterThanOrEqual(0)
        expect(remaining).toBeGreaterThanOrEqual(0)
        expect(elapsed + remaining).toBe(duration)
        // The clock of a client that adds them is right.
        expect(played_at + elapsed).toBe(Math.floor(nowMs / 1000))
        expect(sh_id).toBe(nowMs < start + a ? 1 : 2)
        // A programme ends when the next one starts.
        if (answer.playing_next !== null) expect(played_at + duration).toBe(answer.playing_next.played_at)
      }),
    )
  })

  it('never goes back within a programme', () => {
    const programmes = [programme(1, 1_700_000_000_300, 1_700_000_060_700)]
    const steps = fc.array(fc.integer({ min: 0, max: 60_399 }), { minLength: 2, maxLength: 50 })
    fc.assert(
      fc.property(steps, (offsets) => {
        const elapsed = offsets
          .toSorted((a, b) => a - b)
          .map(
            (offset) => nowPlayingOf(facts(programmes), SITE, 1_700_000_000_300 + offset).now_playing.elapsed,
          )
        expect(elapsed).toEqual(elapsed.toSorted((a, b) => a - b))
      }),
    )
  })

  it('is the text of AzuraCast off the air', () => {
    const { now_playing, playing_next, is_online } = nowPlayingOf(facts([], { status: 'idle' }), SITE, 5000)
    expect(now_playing).toMatchObject({ sh_id: 0, duration: 0, elapsed: 0, remaining: 0 })
    expect(now_playing.song).toMatchObject({ text: 'Station Offline', title: 'Station Offline', artist: '' })
    expect(now_playing.song.id).toMatch(/^[0-9a-f]{32}$/)
    expect(playing_next).toBeNull()
    expect(is_online).toBe(false)
  })

  it('names the station during a card, and the next video behind it', () => {
    const programmes = [card(1, 0, 10_000), card(2, 10_000, 12_000), programme(3, 12_000, 90_000)]
    const { now_playing, playing_next } = nowPlayingOf(facts(programmes), SITE, 5000)
    expect(now_playing.song).toMatchObject({ text: 'Looptide - Main', custom_fields: { video_id: null } })
    expect(playing_next?.song.title).toBe('Song 3')
  })

  it('names the source, or the block of the schedule, as the playlist', () => {
    const block = { id: 'b', name: 'Evening', description: null, colour: null }
    const plain = nowPlayingOf(facts([programme(1, 0, 10_000)]), SITE, 5000)
    const inBlock = nowPlayingOf(facts([{ ...programme(1, 0, 10_000), block }]), SITE, 5000)
    expect([plain.now_playing.playlist, inBlock.now_playing.playlist]).toEqual(['gold', 'Evening'])
  })

  it('says that a live stream is live, with absolute addresses of pictures', () => {
    const { live, now_playing } = nowPlayingOf(facts([programme(1, 2000, 10_000, true)]), SITE, 5000)
    const art = 'https://station.test/pictures/a.webp'
    expect(live).toEqual({ is_live: true, streamer_name: 'Artist', broadcast_start: 2, art })
    expect(now_playing.song.art).toBe(art)
  })

  it('numbers channels the same at every start, and differently', () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `channel-${index}`)
    expect(new Set(ids.map(stationNumber)).size).toBe(1000)
    expect(stationNumber('default')).toBe(stationNumber('default'))
  })
})
