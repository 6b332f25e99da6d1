import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakePlayers } from './fake-player.ts'
import { LiveSession } from './live-session.ts'
import type { LiveVideoProgramme, Substitute } from './live-state.ts'

const START_MS = 1_800_000_000_000

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS })
})
afterEach(() => {
  vi.useRealTimers()
})

const video = (youtubeId: string, more: Partial<Substitute> = {}): Substitute => ({
  title: `Title ${youtubeId}`,
  artistName: 'Artist',
  youtubeId,
  mediaUrl: null,
  startAtMs: 0,
  durationMs: 60_000,
  mediaDurationMs: 60_000,
  thumbnailUrl: null,
  ...more,
})

/** Two programmes of a minute; the first has been on for ten seconds. */
const programmes = ['barred', 'next'].map(
  (youtubeId, seq): LiveVideoProgramme => ({
    id: `p${seq}`,
    seq,
    videoId: `v${seq}`,
    startsAtMs: START_MS - 10_000 + seq * 60_000,
    endsAtMs: START_MS + 50_000 + seq * 60_000,
    video: video(youtubeId),
  }),
)

/** A session whose first video fails with `code`. */
async function fail(substitutes: readonly Substitute[], code = 150) {
  const { factories, made } = fakePlayers()
  const findSubstitutes = vi.fn(async () => substitutes)
  const onUnplayable = vi.fn()
  const onDuration = vi.fn()
  const session = new LiveSession({
    players: factories,
    serverNowMs: () => Date.now(),
    onProgrammesNeeded: () => {},
    onUnreachable: () => {},
    findSubstitutes,
    onUnplayable,
    onDuration,
  })
  session.start({} as HTMLElement)
  session.setTimeline(programmes)
  const player = () => made.youtube!
  const refuse = async () => {
    player().emit({ type: 'error', kind: code === 100 ? 'not-found' : 'not-embeddable', code })
    await vi.advanceTimersByTimeAsync(0)
  }
  await refuse()
  const state = () => session.state.get()
  return { session, player, refuse, state, findSubstitutes, onUnplayable, onDuration }
}

const MESSAGE = { phase: 'loading-next', error: 'not-embeddable', substitute: undefined }

test('a substitute plays from the same offset, and the next programme starts on time', async () => {
  const first = video('other', { startAtMs: 5_000 })
  const { player, state, onUnplayable, onDuration } = await fail([first])
  // Loaded ahead by the time that a YouTube player needs to begin, longer for the first video.
  expect(player().calls).toEqual(['load barred 11500', 'stop', 'load other 15700'])
  expect(state()).toMatchObject({ substitute: first, error: undefined, programme: { id: 'p0' } })
  expect(state().upNext.map(({ id }) => id)).toEqual(['p1'])
  player().begin()
  player().emit({ type: 'duration', durationMs: 99_000 })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(state()).toMatchObject({ phase: 'playing', substitute: first })
  expect(Math.abs(player().positionMs - 45_000)).toBeLessThan(500)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(player().source).toMatchObject({ youtubeId: 'next' })
  expect(state()).toMatchObject({ substitute: undefined, programme: { id: 'p1' } })
  expect(onUnplayable).toHaveBeenCalledExactlyOnceWith(programmes[0], 'not-embeddable', 150)
  expect(onDuration).not.toHaveBeenCalled()
})

test('if substitutes fail, the next ones are tried, then the reason is shown', async () => {
  const { player, refuse, state, findSubstitutes, onUnplayable } = await fail([video('one'), video('two')])
  expect(player().source).toMatchObject({ youtubeId: 'one' })
  await refuse()
  expect(player().source).toMatchObject({ youtubeId: 'two' })
  await refuse()
  expect(state()).toMatchObject(MESSAGE)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(state()).toMatchObject(MESSAGE)
  expect(findSubstitutes).toHaveBeenCalledOnce()
  expect(onUnplayable).toHaveBeenCalledOnce()
})

test('a substitute that is shorter than the programme ends at its own end, and is not begun after it', async () => {
  const tooShort = video('short', { durationMs: 9_000 })
  const { player, state } = await fail([tooShort, video('shorter', { durationMs: 40_000 })])
  expect(player().source).toMatchObject({ youtubeId: 'shorter' })
  player().begin()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(state()).toMatchObject({ phase: 'playing' })
  await vi.advanceTimersByTimeAsync(1_500)
  expect(state()).toMatchObject({ ...MESSAGE, programme: { id: 'p0' } })
  expect(player().source).toBeUndefined()
})

test('a video that is gone for everybody has no substitute', async () => {
  const { state, findSubstitutes } = await fail([video('other')], 100)
  expect(state()).toMatchObject({ phase: 'loading-next', error: 'not-found', substitute: undefined })
  expect(findSubstitutes).not.toHaveBeenCalled()
})

test('an answer that arrives after the programme has ended is ignored', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly Substitute[]>()
  const { session, player, refuse, findSubstitutes } = await fail([])
  findSubstitutes.mockReturnValue(promise)
  session.retryNow()
  await refuse()
  await vi.advanceTimersByTimeAsync(51_000)
  resolve([video('late')])
  await vi.advanceTimersByTimeAsync(0)
  expect(player().source).toMatchObject({ youtubeId: 'next' })
})
