import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { nativePlugins } from './native-platform.ts'
import {
  keepScreenAwake,
  LIVE_WAKE_LOCK,
  PLAYER_WAKE_LOCK,
  type WakeLockRhythm,
  type WakeLockSurroundings,
} from './wake-lock.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A screen lock as browsers have it: refused while hidden, and taken away on hiding. */
function fakeScreen() {
  const screen = {
    requests: 0,
    moves: 0,
    isVisible: true,
    isFullscreen: false,
    refuses: false,
    held: new Set<EventTarget>(),
    watchers: new Set<() => void>(),
    takeAway: () => {
      for (const sentinel of [...screen.held]) {
        screen.held.delete(sentinel)
        sentinel.dispatchEvent(new Event('release'))
      }
    },
    show: (isVisible: boolean) => {
      screen.isVisible = isVisible
      if (!isVisible) screen.takeAway()
      for (const watcher of screen.watchers) watcher()
    },
  }
  const wakeLock = {
    request: async () => {
      screen.requests += 1
      if (screen.refuses || !screen.isVisible) throw new DOMException('no', 'NotAllowedError')
      const sentinel = new EventTarget()
      screen.held.add(sentinel)
      return Object.assign(sentinel, {
        release: async () => {
          screen.held.delete(sentinel)
          sentinel.dispatchEvent(new Event('release'))
        },
      })
    },
  }
  const surroundings: WakeLockSurroundings = {
    wakeLock,
    keepAwake: undefined,
    isVisible: () => screen.isVisible,
    isFullscreen: () => screen.isFullscreen,
    onVisibility: (watcher) => {
      screen.watchers.add(watcher)
      return () => screen.watchers.delete(watcher)
    },
    simulateMove: () => {
      screen.moves += 1
    },
  }
  return { screen, surroundings }
}

async function begin(rhythm: WakeLockRhythm, changes: Partial<WakeLockSurroundings> = {}) {
  const { screen, surroundings } = fakeScreen()
  const stop = keepScreenAwake(rhythm, { ...surroundings, ...changes })
  await pass(0)
  return { screen, stop }
}

it('holds one lock, and lets it go at the end', async () => {
  const { screen, stop } = await begin(PLAYER_WAKE_LOCK)
  await pass(120_000)
  expect(screen).toMatchObject({ requests: 1, moves: 0 })
  expect(screen.held.size).toBe(1)
  stop()
  await pass(120_000)
  expect(screen.held.size).toBe(0)
  expect(screen.requests).toBe(1)
  expect(screen.watchers.size).toBe(0)
})

it('asks again 50 ms after the lock was taken away', async () => {
  const { screen } = await begin(PLAYER_WAKE_LOCK)
  screen.takeAway()
  await pass(49)
  expect(screen.requests).toBe(1)
  await pass(1)
  expect(screen.requests).toBe(2)
  expect(screen.held.size).toBe(1)
})

it('asks for nothing while hidden, and again as soon as it is seen', async () => {
  const { screen } = await begin(LIVE_WAKE_LOCK)
  screen.show(false)
  await pass(180_000)
  expect(screen.requests).toBe(1)
  screen.show(true)
  await pass(0)
  expect(screen.held.size).toBe(1)
})

it.each([
  { name: 'player', rhythm: PLAYER_WAKE_LOCK, retryMs: 3_000 },
  { name: 'live page', rhythm: LIVE_WAKE_LOCK, retryMs: 2_000 },
])('$name: tries again $retryMs ms after a refusal, until it is granted', async ({ rhythm, retryMs }) => {
  const { screen, surroundings } = fakeScreen()
  screen.refuses = true
  keepScreenAwake(rhythm, surroundings)
  await pass(retryMs - 1)
  expect(screen.requests).toBe(1)
  await pass(1)
  expect(screen.requests).toBe(2)
  screen.refuses = false
  await pass(retryMs)
  expect(screen.held.size).toBe(1)
})

it('a lock that is granted too late is let go', async () => {
  const { screen, surroundings } = fakeScreen()
  keepScreenAwake(PLAYER_WAKE_LOCK, surroundings)()
  await pass(0)
  expect(screen.held.size).toBe(0)
})

it('without any lock a mouse seems to move every 25 s', async () => {
  const { screen, stop } = await begin(PLAYER_WAKE_LOCK, { wakeLock: undefined })
  await pass(75_000)
  expect(screen.moves).toBe(3)
  stop()
  await pass(75_000)
  expect(screen.moves).toBe(3)
})

it('live page: activity every 20 s, in fullscreen every 5 s', async () => {
  const { screen } = await begin(LIVE_WAKE_LOCK)
  await pass(60_000)
  expect(screen.moves).toBe(3)
  screen.isFullscreen = true
  await pass(20_000)
  expect(screen.moves).toBe(7)
})

it('live page: a lock that vanished without a word is found missing within a minute', async () => {
  const { screen, surroundings } = fakeScreen()
  screen.isVisible = false
  keepScreenAwake(LIVE_WAKE_LOCK, surroundings)
  // Some embedded browsers tell nobody that the page is shown.
  screen.isVisible = true
  await pass(59_999)
  expect(screen.requests).toBe(0)
  await pass(1)
  expect(screen.held.size).toBe(1)
})

it('in a native app its own keep-awake is used, and the browser’s lock left alone', async () => {
  const keepAwake = { keepAwake: vi.fn(async () => {}), allowSleep: vi.fn(async () => {}) }
  const { screen, stop } = await begin(PLAYER_WAKE_LOCK, { keepAwake })
  expect(keepAwake.keepAwake).toHaveBeenCalledOnce()
  expect(screen.requests).toBe(0)
  stop()
  expect(keepAwake.allowSleep).toHaveBeenCalledOnce()
})

it('knows a native app by its bridge', () => {
  const KeepAwake = { keepAwake: async () => {}, allowSleep: async () => {} }
  expect(nativePlugins({})).toEqual({})
  expect(nativePlugins({ Capacitor: { isNativePlatform: () => false, Plugins: { KeepAwake } } })).toEqual({})
  expect(nativePlugins({ Capacitor: { isNativePlatform: () => true } })).toEqual({})
  expect(nativePlugins({ Capacitor: { isNativePlatform: () => true, Plugins: { KeepAwake } } })).toEqual({
    KeepAwake,
  })
})
