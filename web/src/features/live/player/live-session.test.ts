import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakePlayers } from './fake-player.ts'
import { LiveSession } from './live-session.ts'
import type { LiveProgramme, LiveVideoProgramme, Substitute } from './live-state.ts'

const START_MS = 1_800_000_000_000
const host = {} as HTMLElement

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS })
})
afterEach(() => {
  vi.useRealTimers()
})

interface Slot {
  media?: string
  youtubeId?: string
  lengthMs?: number
  startAtMs?: number
  mediaMs?: number
}

/** Consecutive programmes of a minute each; the first began at `sinceMs`. */
function timeline(slots: Slot[], sinceMs = 10_000): LiveVideoProgramme[] {
  let atMs = START_MS - sinceMs
  return slots.map(({ media, youtubeId, lengthMs = 60_000, startAtMs = 0, mediaMs = lengthMs }, seq) => {
    const startsAtMs = atMs
    atMs += lengthMs
    const video = {
      title: `Title ${seq}`,
      artistName: 'Artist',
      youtubeId: youtubeId ?? null,
      mediaUrl: media ?? null,
      startAtMs,
      mediaDurationMs: mediaMs,
    }
    return { id: `p${seq}`, seq, videoId: `v${seq}`, startsAtMs, endsAtMs: atMs, video }
  })
}

function open(programmes: LiveProgramme[] | undefined) {
  const { factories, made } = fakePlayers()
  const events = {
    onProgrammesNeeded: vi.fn(),
    onUnplayable: vi.fn(),
    onUnreachable: vi.fn(),
    onDuration: vi.fn(),
    findSubstitutes: vi.fn(async (): Promise<readonly Substitute[]> => []),
  }
  const session = new LiveSession({ players: factories, serverNowMs: () => Date.now(), ...events })
  session.start(host)
  session.setTimeline(programmes)
  const html5 = () => made.html5!
  const youtube = () => made.youtube!
  return { session, events, made, html5, youtube, state: () => session.state.get() }
}

const media = (...names: string[]): Slot[] => names.map((name) => ({ media: name }))
const pass = (ms: number) => vi.advanceTimersByTime(ms)

describe('what is on', () => {
  test('connecting, then playing at the playhead', () => {
    const { session, html5, state } = open(undefined)
    expect(state().phase).toBe('connecting')
    session.setTimeline(timeline(media('a', 'b', 'c', 'd')))
    expect(state()).toMatchObject({ phase: 'connecting', playerKind: 'html5' })
    expect(state().programme?.id).toBe('p0')
    expect(state().upNext.map(({ id }) => id)).toEqual(['p1', 'p2'])
    expect(html5().calls).toEqual(['load a 10150'])
    html5().begin(0)
    expect(state().phase).toBe('playing')
  })

  test('cuts to the next programme on time, without outside input', () => {
    const { html5, state, events } = open(timeline(media('a', 'b', 'c')))
    html5().begin()
    pass(49_000)
    expect(html5().calls).toContain('prepare b')
    expect(html5().source).toMatchObject({ url: 'a' })
    // The next video is loaded early, by the time it takes to begin.
    pass(1_000)
    expect(html5().source).toMatchObject({ url: 'b' })
    expect(html5().calls.at(-1)).toBe('load b 0')
    expect(state().phase).toBe('loading-next')
    html5().begin()
    expect(state()).toMatchObject({ phase: 'playing' })
    expect(events.onUnplayable).not.toHaveBeenCalled()
  })

  test('learns the start delay, and loads that much earlier', () => {
    const slots = Array.from({ length: 12 }, (_, index) => ({ media: `m${index}`, lengthMs: 20_000 }))
    const { session, html5 } = open(timeline(slots, 0))
    const leads: number[] = []
    session.state.subscribe(() => {})
    let loads = 0
    for (let elapsedMs = 0; elapsedMs < 230_000; elapsedMs += 5) {
      const count = html5().calls.filter((call) => call.startsWith('load')).length
      if (count > loads) {
        loads = count
        leads.push(20_000 * (loads - 1) - elapsedMs)
        setTimeout(() => html5().begin(), 400)
      }
      pass(5)
    }
    expect(leads[1]).toBeLessThan(100)
    expect(leads.at(-1)).toBeGreaterThan(330)
    expect(leads.at(-1)).toBeLessThan(470)
  })

  test('an edit of later programmes changes the next one, not the current one', () => {
    const before = timeline(media('a', 'b'))
    const { session, html5, state } = open(before)
    html5().begin()
    session.setTimeline([
      before[0]!,
      { ...before[1]!, id: 'new', video: { ...before[1]!.video, mediaUrl: 'n' } },
    ])
    expect(html5().calls.filter((call) => call.startsWith('load'))).toHaveLength(1)
    expect(state().upNext.map(({ id }) => id)).toEqual(['new'])
    pass(51_000)
    expect(html5().source).toMatchObject({ url: 'n' })
  })

  test('off the air, the player stops, and programmes are requested every 25 s', () => {
    const { session, html5, state, events } = open(timeline(media('a')))
    html5().begin()
    session.setTimeline([])
    expect(state()).toMatchObject({ phase: 'off-air', programme: undefined })
    expect(html5().calls.at(-1)).toBe('stop')
    pass(24_000)
    expect(events.onProgrammesNeeded).not.toHaveBeenCalled()
    pass(52_000)
    expect(events.onProgrammesNeeded).toHaveBeenCalledTimes(3)
  })

  test('with another kind of media, one player stops and the other plays', () => {
    const { html5, youtube, state } = open(timeline([{ media: 'a' }, { youtubeId: 'yt' }]))
    html5().begin()
    pass(50_000)
    expect(html5().calls.at(-1)).toBe('stop')
    expect(youtube().source).toMatchObject({ youtubeId: 'yt' })
    expect(state().playerKind).toBe('youtube')
    // Events of the stopped player are ignored.
    html5().emit({ type: 'error', kind: 'unplayable', code: 4 })
    expect(state().error).toBeUndefined()
  })

  test('`stop` empties the host, and `start` works again', () => {
    const { session, html5, state } = open(timeline(media('a')))
    const first = html5()
    first.begin()
    session.stop()
    expect(first.destroyed).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
    session.start(host)
    expect(html5()).not.toBe(first)
    expect(state().phase).toBe('connecting')
  })
})

describe('requesting the next programmes', () => {
  test('8 s and 3 s before the end and at the end, while the window is low', () => {
    const { html5, events } = open(timeline(media('a', 'b')))
    html5().begin()
    const times = [42_000, 47_000, 50_000].map((at, index, all) => {
      pass(at - (all[index - 1] ?? 0) - 100)
      const before = events.onProgrammesNeeded.mock.calls.length
      pass(100)
      return [before, events.onProgrammesNeeded.mock.calls.length]
    })
    expect(times.slice(0, 2)).toEqual([
      [0, 1],
      [1, 2],
    ])
  })

  test('not while two hours are loaded', () => {
    const slots = Array.from({ length: 140 }, (_, index) => ({ media: `m${index}` }))
    const { events } = open(timeline(slots))
    pass(10 * 60_000)
    expect(events.onProgrammesNeeded).not.toHaveBeenCalled()
  })
})

describe('sync', () => {
  test('a late start is corrected, and the telemetry shows it', () => {
    const { session, html5 } = open(timeline(media('a')))
    html5().begin(900)
    pass(500)
    expect(session.telemetry.get()?.driftMs).toBeLessThan(-700)
    pass(8_000)
    const figures = session.telemetry.get()!
    expect(figures.seeks).toBe(1)
    expect(Math.abs(figures.driftMs!)).toBeLessThan(15)
    expect(Math.abs(html5().positionMs - (Date.now() - (START_MS - 10_000)))).toBeLessThan(15)
  })

  test('a corrected server clock moves the player', () => {
    const { factories, made } = fakePlayers()
    let offsetMs = 0
    const session = new LiveSession({
      players: factories,
      serverNowMs: () => Date.now() + offsetMs,
      onProgrammesNeeded: () => {},
      onUnplayable: () => {},
      onUnreachable: () => {},
      onDuration: () => {},
      findSubstitutes: async () => [],
    })
    session.start(host)
    session.setTimeline(timeline(media('a')))
    made.html5?.begin()
    pass(3_000)
    offsetMs = 100
    pass(10_000)
    expect(Math.abs(session.telemetry.get()!.driftMs!)).toBeLessThan(15)
  })
})

describe('sound', () => {
  test('defaults to 0.7, and is muted until sound is allowed', () => {
    const { session, html5, state } = open(timeline(media('a')))
    expect(state()).toMatchObject({ volume: 0.7, muted: true })
    expect(html5().sound).toEqual({ volume: 0.7, muted: true })
    session.setAudioAllowed(true)
    expect(html5().sound).toEqual({ volume: 0.7, muted: false })
  })

  test('volume 0 mutes, above 0 unmutes; signed-out viewers stay muted', () => {
    const { session, html5, state } = open(timeline(media('a')))
    session.setVolume(0.5)
    expect(html5().sound).toEqual({ volume: 0.5, muted: true })
    session.setAudioAllowed(true)
    session.setVolume(0)
    expect(state()).toMatchObject({ volume: 0, muted: true })
    session.setVolume(0.3)
    expect(html5().sound).toEqual({ volume: 0.3, muted: false })
    session.setMuted(true)
    expect(html5().sound.muted).toBe(true)
  })

  test('plays muted if refused with sound; requires a user gesture if refused again', () => {
    const { session, html5, state } = open(timeline(media('a')))
    session.setAudioAllowed(true)
    html5().emit({ type: 'blocked', audible: true })
    expect(html5().sound.muted).toBe(true)
    expect(html5().calls.at(-1)).toBe('play')
    expect(state()).toMatchObject({ soundBlocked: true, phase: 'connecting' })
    html5().emit({ type: 'blocked', audible: false })
    expect(state().phase).toBe('blocked')
    session.tuneIn()
    expect(html5().sound.muted).toBe(false)
    expect(html5().calls.at(-1)).toBe('play')
    html5().begin()
    expect(state()).toMatchObject({ phase: 'playing', soundBlocked: false })
  })
})

describe('faults', () => {
  test('a removed video is reported at once, and the next one starts on time', () => {
    const { youtube, state, events } = open(timeline([{ youtubeId: 'x' }, { youtubeId: 'y' }]))
    youtube().emit({ type: 'error', kind: 'not-found', code: 100 })
    expect(events.onUnplayable).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ id: 'p0' }),
      'not-found',
      100,
    )
    expect(state()).toMatchObject({ phase: 'loading-next', error: 'not-found' })
    pass(50_000)
    expect(youtube().source).toMatchObject({ youtubeId: 'y' })
    youtube().begin()
    expect(state()).toMatchObject({ phase: 'playing', error: undefined })
  })

  test('a server that does not respond is retried, shown once, and never reported', () => {
    const { html5, state, events } = open(timeline([{ media: 'a', lengthMs: 600_000 }]))
    for (let round = 0; round < 6; round += 1) {
      html5().emit({ type: 'error', kind: 'unreachable', code: 2 })
      pass(16_000)
    }
    expect(html5().calls.filter((call) => call.startsWith('load'))).toHaveLength(7)
    expect(events.onUnreachable).toHaveBeenCalledExactlyOnceWith('html5')
    expect(events.onUnplayable).not.toHaveBeenCalled()
    expect(state().phase).toBe('unreachable')
    html5().begin()
    expect(state().phase).toBe('playing')
  })

  test('a programme without media is reported once', () => {
    const { events, state } = open(timeline([{}, { media: 'b' }]))
    pass(10_000)
    expect(events.onUnplayable).toHaveBeenCalledExactlyOnceWith(expect.anything(), 'invalid-source', 0)
    expect(state().phase).toBe('loading-next')
  })

  test('a video shorter than its programme waits for the cut, and its true duration is reported', () => {
    const { html5, state, events } = open(timeline(media('a', 'b')))
    html5().emit({ type: 'duration', durationMs: 60_400 })
    expect(events.onDuration).not.toHaveBeenCalled()
    html5().emit({ type: 'duration', durationMs: 41_000 })
    expect(events.onDuration).toHaveBeenCalledWith(expect.objectContaining({ id: 'p0' }), 41_000)
    html5().begin()
    pass(31_000)
    html5().emit({ type: 'ended' })
    expect(state().phase).toBe('loading-next')
    pass(19_000)
    expect(html5().source).toMatchObject({ url: 'b' })
  })
})

describe('a programme that starts within its media', () => {
  test('is loaded, prepared and corrected at its position in the media', () => {
    fc.assert(
      fc.property(
        fc.nat(600_000),
        fc.integer({ min: 0, max: 45_000 }),
        fc.nat(2000),
        (startAtMs, sinceMs, lateMs) => {
          const slots = [
            { media: 'a', startAtMs },
            { media: 'b', startAtMs: startAtMs + 7 },
          ]
          const programmes = timeline(slots, sinceMs).map((programme) => ({
            ...programme,
            startsAtMs: programme.startsAtMs + Date.now() - START_MS,
            endsAtMs: programme.endsAtMs + Date.now() - START_MS,
          }))
          const startsAtMs = programmes[0]!.startsAtMs
          const { session, html5 } = open(programmes)
          expect(html5().calls).toEqual([`load a ${startAtMs + sinceMs + 150}`])
          html5().begin(lateMs)
          pass(10_000)
          expect(Math.abs(html5().positionMs - startAtMs - (Date.now() - startsAtMs))).toBeLessThan(20)
          pass(Math.max(0, 49_000 - sinceMs - 10_000))
          expect(html5().calls).toContain(`prepare b ${startAtMs + 7}`)
          session.stop()
        },
      ),
      { numRuns: 30 },
    )
  })

  test('reports the duration of the media only if it differs from the known one', () => {
    const { html5, events } = open(timeline([{ media: 'a', startAtMs: 5000, mediaMs: 90_000 }]))
    html5().emit({ type: 'duration', durationMs: 90_500 })
    expect(events.onDuration).not.toHaveBeenCalled()
    html5().emit({ type: 'duration', durationMs: 60_000 })
    expect(events.onDuration).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: 'p0' }), 60_000)
  })
})

describe('a selected video', () => {
  const whole = { startAtMs: 0, endAtMs: null }
  const chosen = { title: 'Chosen', artistName: 'Artist', youtubeId: null, mediaUrl: 'chosen', ...whole }

  test('that ends, or is left, off the air stops, so that its last picture does not stay', () => {
    const { session, html5, state } = open([])
    session.select(chosen)
    html5().begin()
    session.backToLive()
    expect(state()).toMatchObject({ phase: 'off-air', selected: undefined })
    expect(html5().source).toBeUndefined()
    session.select(chosen)
    html5().begin()
    html5().emit({ type: 'ended' })
    expect(html5().source).toBeUndefined()
  })

  test('plays from its beginning without sync, then returns to live', () => {
    const { session, html5, state } = open(timeline(media('a', 'b')))
    html5().begin()
    session.select(chosen)
    expect(html5().calls.at(-1)).toBe('load chosen 0')
    html5().begin()
    pass(60_000)
    expect(html5().source).toMatchObject({ url: 'chosen' })
    expect(state()).toMatchObject({ phase: 'playing', selected: chosen })
    html5().emit({ type: 'ended' })
    expect(state().selected).toBeUndefined()
    expect(html5().source).toMatchObject({ url: 'b' })
  })

  test('plays from one trim point to the other, then returns to live', () => {
    const { session, html5, state } = open(timeline(media('a')))
    html5().begin()
    session.select({ ...chosen, startAtMs: 20_000, endAtMs: 30_000 })
    expect(html5().calls.at(-1)).toBe('load chosen 20000')
    html5().begin()
    pass(9500)
    expect(html5().source).toMatchObject({ url: 'chosen' })
    pass(1000)
    expect(state().selected).toBeUndefined()
    expect(html5().source).toMatchObject({ url: 'a' })
  })

  test('can be left for live at any time', () => {
    const { session, html5, state } = open(timeline(media('a', 'b')))
    html5().begin()
    session.select(chosen)
    session.backToLive()
    expect(state().selected).toBeUndefined()
    expect(html5().source).toMatchObject({ url: 'a' })
  })
})
