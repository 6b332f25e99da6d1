import type { AirLogEntry, Programme } from '@looptide/contracts/http/channels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChannelFacts, verifyChannel } from './verify-channel.ts'

const HOUR_MS = 3_600_000
const NOW_MS = 1_800_000_000_000

/** A channel that plays videos of these lengths (ms) in turn, since two hours and for 27 more. */
function wholeChannel(lengthsMs: readonly number[]): ChannelFacts {
  const programmes: Programme[] = []
  for (let atMs = NOW_MS - 2 * HOUR_MS; atMs < NOW_MS + 27 * HOUR_MS; ) {
    const seq = programmes.length + 1
    const durationMs = lengthsMs[seq % lengthsMs.length] ?? 1
    const endsAtMs = atMs + Math.max(1000, durationMs)
    const videoId = `video-${durationMs}`
    const video = {
      id: videoId,
      title: 'A title',
      artistName: 'An artist',
      genre: 'Music',
      description: '',
      duration: '0:00',
      durationMs,
      startAtMs: 0,
      mediaDurationMs: durationMs,
      thumbnailUrl: null,
      youtubeId: null,
      mediaUrl: '/test-card/clip.mp4',
    }
    const placement = { id: `one.${seq}.1`, channelId: 'one', seq, startsAtMs: atMs, endsAtMs, block: null }
    programmes.push({ ...placement, kind: 'video', videoId, video, reason: null })
    atMs = endsAtMs
  }
  const airLog = programmes.filter(({ startsAtMs }) => startsAtMs <= NOW_MS).flatMap(logged)
  return { channelId: 'one', nowMs: NOW_MS, isOnAir: true, programmes, airLog, stopsAtMs: [] }
}

const logged = (programme: Programme): AirLogEntry[] => {
  if (programme.kind !== 'video') return []
  const { channelId, seq, videoId, startsAtMs, endsAtMs, video } = programme
  return [
    {
      id: `${channelId}.${seq}`,
      channelId,
      videoId,
      title: video.title,
      artistName: video.artistName,
      startedAtMs: startsAtMs,
      endedAtMs: endsAtMs,
      thumbnailUrl: null,
      isListed: true,
    },
  ]
}

const lengths = fc.array(fc.integer({ min: 200_000, max: 600_000 }), { minLength: 1, maxLength: 5 })
const kinds = (facts: ChannelFacts): string[] => verifyChannel(facts).map(({ kind }) => kind)

/** The facts with one programme of the future, or line of the log, changed. */
const withProgramme = (
  facts: ChannelFacts,
  place: number,
  change: (it: Programme) => Programme,
): ChannelFacts => {
  const ahead = facts.programmes.findIndex(({ startsAtMs }) => startsAtMs > NOW_MS + 2000)
  const at = ahead + (place % (facts.programmes.length - ahead - 1))
  return { ...facts, programmes: facts.programmes.map((one, index) => (index === at ? change(one) : one)) }
}

describe('a correct channel', () => {
  it('has no fault, whatever it plays, even films shorter than a second', () => {
    fc.assert(
      fc.property(lengths, (list) => {
        expect(verifyChannel(wholeChannel(list))).toEqual([])
      }),
    )
    expect(verifyChannel(wholeChannel([400, 250_000]))).toEqual([])
  })

  it('may have been stopped, and what was on cut short', () => {
    const facts = wholeChannel([300_000])
    const [first, second, ...rest] = facts.airLog
    if (first === undefined || second === undefined) throw new Error('too short')
    const stoppedAtMs = first.endedAtMs - 100_000
    const airLog = [{ ...first, endedAtMs: stoppedAtMs }, second, ...rest]
    const programmes = facts.programmes.slice(1)
    expect(kinds({ ...facts, programmes, airLog, stopsAtMs: [stoppedAtMs + 900] })).toEqual([])
    expect(kinds({ ...facts, programmes, airLog })).toEqual(['gap'])
  })
})

describe('a channel with cards between its videos', () => {
  /** Every second programme becomes a card. */
  const withCards = (facts: ChannelFacts): ChannelFacts => {
    const programmes = facts.programmes.map((programme): Programme => {
      if (programme.seq % 2 === 1) return programme
      const { id, channelId, seq, startsAtMs, endsAtMs, block } = programme
      const placement = { id, channelId, seq, startsAtMs, endsAtMs, block }
      return { ...placement, kind: 'ident', ident: 'station', previous: null, videoId: null, video: null }
    })
    const airLog = facts.airLog.filter(({ id }) => Number(id.split('.').at(-1)) % 2 === 1)
    return { ...facts, programmes, airLog }
  }

  it('has no fault, also before the known part of the timeline', () => {
    const facts = withCards(wholeChannel([8_000, 300_000]))
    expect(verifyChannel(facts)).toEqual([])
    const known = facts.programmes.filter(({ startsAtMs }) => startsAtMs > NOW_MS - HOUR_MS)
    expect(verifyChannel({ ...facts, programmes: known })).toEqual([])
  })

  it('has a fault if a video is missing in the air log', () => {
    const facts = withCards(wholeChannel([8_000, 300_000]))
    const airLog = facts.airLog.filter((_, index) => index !== 3)
    expect(kinds({ ...facts, airLog }).sort()).toEqual(['air log', 'gap'])
  })
})

describe('a fault is found wherever it is', () => {
  it('a gap, an overlap and a wrong length', () => {
    fc.assert(
      fc.property(lengths, fc.nat(), fc.integer({ min: 1, max: 100_000 }), (list, place, ms) => {
        const whole = wholeChannel(list)
        const shifted = (by: number) =>
          withProgramme(whole, place, (one) => ({ ...one, endsAtMs: one.endsAtMs + by }))
        expect(kinds(shifted(-ms)).sort()).toEqual(['gap', 'length'])
        expect(kinds(shifted(ms)).sort()).toEqual(['length', 'overlap'])
        const later = withProgramme(whole, place, (one) => ({ ...one, startsAtMs: one.startsAtMs + ms }))
        expect(kinds(later).sort()).toEqual(['gap', 'length'])
      }),
    )
  })

  it('a programme that is numbered as its neighbour', () => {
    const whole = wholeChannel([300_000])
    expect(kinds(withProgramme(whole, 7, (one) => ({ ...one, seq: one.seq - 1 })))).toEqual(['order'])
  })

  it('a timeline that ends too soon, and one with nothing on', () => {
    const whole = wholeChannel([300_000])
    const short = whole.programmes.filter(({ endsAtMs }) => endsAtMs < NOW_MS + 20 * HOUR_MS)
    expect(kinds({ ...whole, programmes: short })).toEqual(['end'])
    expect(kinds({ ...whole, programmes: [], airLog: [] })).toEqual(['gap', 'end'])
    expect(kinds({ ...whole, programmes: [], airLog: [], isOnAir: false })).toEqual([])
  })

  it('an air log that lacks a line, has another video, or has two at the same time', () => {
    fc.assert(
      fc.property(lengths, fc.nat(), (list, place) => {
        const whole = wholeChannel(list)
        const at = 1 + (place % (whole.airLog.length - 2))
        const changed = (change: (line: AirLogEntry) => AirLogEntry[]): ChannelFacts => ({
          ...whole,
          airLog: whole.airLog.flatMap((line, index) => (index === at ? change(line) : [line])),
        })
        expect(kinds(changed(() => [])).sort()).toEqual(['air log', 'gap'])
        expect(kinds(changed((line) => [{ ...line, videoId: 'another' }]))).toEqual(['air log'])
        const long = changed((line) => [{ ...line, endedAtMs: line.endedAtMs + 5 }])
        expect(kinds(long).sort()).toEqual(['air log', 'overlap'])
      }),
    )
  })
})
