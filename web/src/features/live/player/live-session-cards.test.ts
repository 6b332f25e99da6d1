import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakePlayers } from './fake-player.ts'
import { LiveSession } from './live-session.ts'
import { type LiveProgramme, shownCard } from './live-state.ts'

const START_MS = 1_800_000_000_000
const CARD_MS = 8_000
const host = {} as HTMLElement

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS })
})
afterEach(() => {
  vi.useRealTimers()
})

const CHOSEN = {
  title: 'Chosen',
  artistName: 'Artist',
  youtubeId: null,
  mediaUrl: 'chosen',
  startAtMs: 0,
  endAtMs: null,
}

type Slot = 'card' | { media: string } | { youtubeId: string }

/** Consecutive programmes: videos of a minute, cards of 8 s. The first began `sinceMs` ago. */
function timeline(slots: Slot[], sinceMs: number): LiveProgramme[] {
  let atMs = START_MS - sinceMs
  return slots.map((slot, seq): LiveProgramme => {
    const startsAtMs = atMs
    atMs += slot === 'card' ? CARD_MS : 60_000
    const placed = { id: `p${seq}`, seq, startsAtMs, endsAtMs: atMs }
    if (slot === 'card') return { ...placed, videoId: null, video: null }
    const source = { youtubeId: null, mediaUrl: null, ...('media' in slot ? { mediaUrl: slot.media } : slot) }
    return {
      ...placed,
      videoId: `v${seq}`,
      video: {
        title: `Title ${seq}`,
        artistName: 'Artist',
        startAtMs: 0,
        mediaDurationMs: 60_000,
        ...source,
      },
    }
  })
}

function open(programmes: LiveProgramme[]) {
  const { factories, made } = fakePlayers()
  const onUnplayable = vi.fn()
  const ignored = {
    findSubstitutes: async () => [],
    onProgrammesNeeded: vi.fn(),
    onUnreachable: vi.fn(),
    onDuration: vi.fn(),
  }
  const session = new LiveSession({
    players: factories,
    serverNowMs: () => Date.now(),
    onUnplayable,
    ...ignored,
  })
  session.setAudioAllowed(true)
  session.start(host)
  session.setTimeline(programmes)
  return { session, made, onUnplayable, card: () => shownCard(session.state.get())?.id }
}

const pass = (ms: number) => vi.advanceTimersByTime(ms)

test('a card is shown from its first to its last millisecond', () => {
  const { made, card } = open(timeline([{ media: 'a' }, 'card', { media: 'b' }], 10_000))
  made.html5!.begin()
  pass(49_999)
  expect(card()).toBeUndefined()
  pass(1)
  expect(card()).toBe('p1')
  pass(CARD_MS - 1)
  expect(card()).toBe('p1')
  pass(1)
  expect(card()).toBeUndefined()
})

test('the players rest during a card; the next video is prepared before it and loaded before its end', () => {
  const { session, made } = open(timeline([{ media: 'a' }, 'card', { media: 'b' }], 10_000))
  const { calls } = made.html5!
  made.html5!.begin()
  pass(49_000)
  expect(calls).toContain('prepare b')
  pass(1_000)
  expect(calls.at(-1)).toBe('rest')
  expect(session.state.get()).toMatchObject({ phase: 'playing', playerKind: undefined })
  pass(CARD_MS - 100)
  expect(calls.at(-1)).toBe('rest')
  pass(99)
  expect(calls.at(-1)).toBe('load b 0')
  made.html5!.begin()
  pass(1)
  expect(session.state.get()).toMatchObject({ phase: 'playing', programme: { id: 'p2' } })
})

test('a video that starts before the end of a card is silent until then', () => {
  const { made } = open(timeline(['card', { youtubeId: 'y' }], 1_000))
  pass(CARD_MS - 1_000 - 1)
  const youtube = made.youtube!
  youtube.begin()
  expect(youtube.source).toMatchObject({ youtubeId: 'y' })
  expect(youtube.sound).toEqual({ volume: 0, muted: false })
  pass(1)
  expect(youtube.sound).toEqual({ volume: 0.7, muted: false })
})

test('a viewer who joins during a card sees it at once; nothing is reported as unplayable', () => {
  const { session, made, onUnplayable, card } = open(timeline(['card', 'card', { media: 'a' }], 3_000))
  expect(card()).toBe('p0')
  expect(session.state.get().upNext.map(({ id }) => id)).toEqual(['p2'])
  pass(CARD_MS - 3_000)
  expect(card()).toBe('p1')
  pass(CARD_MS)
  expect(card()).toBeUndefined()
  expect(made.html5!.source).toMatchObject({ url: 'a' })
  expect(onUnplayable).not.toHaveBeenCalled()
})

test('a selected video continues with sound over a card, and the card is there on the way back', () => {
  const { session, made, card } = open(timeline([{ media: 'a' }, 'card', { media: 'b' }], 58_000))
  made.html5!.begin()
  session.select(CHOSEN)
  made.html5!.begin()
  pass(3_000)
  expect(card()).toBeUndefined()
  expect(made.html5!.source).toMatchObject({ url: 'chosen' })
  expect(made.html5!.sound).toEqual({ volume: 0.7, muted: false })
  session.backToLive()
  expect(card()).toBe('p1')
  expect(made.html5!.source).toBeUndefined()
})

test('a selected video can be started during a card', () => {
  const { session, made } = open(timeline(['card', { media: 'b' }], 1_000))
  session.select(CHOSEN)
  expect(made.html5!.sound).toEqual({ volume: 0.7, muted: false })
  expect(made.html5!.source).toMatchObject({ url: 'chosen' })
})
