import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { nativePlugins } from './native-platform.ts'
import {
  keepScreenAwake,
  LIVE_WAKE_LOCK,
  PLAYER_WAKE_LOCK,
  type WakeLockEnvironment,
  type WakeLockOptions,
} from './wake-lock.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A fake screen wake lock: refused while the page is hidden, and released when it is hidden. */
function fakeScreen() {
  const screen = {
    requests: 0,
    moves: 0,
    isVisible: true,
    isFullscreen: false,
    refuses: false,
    held: new Set<EventTarget>(),
    watchers: new Set<() => void>(),
    revoke: () => {
      for (const sentinel of [...screen.held]) {
        screen.held.delete(sentinel)
        sentinel.dispatchEvent(new Event('release'))
      }
    },
    show: (isVisible: boolean) => {
      screen.isVisible = isVisible
      if (!isVisible) screen.revoke()
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
  const environment: WakeLockEnvironment = {
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
  return { screen, environment }
}

async function begin(options: WakeLockOptions, changes: Partial<WakeLockEnvironment> = {}) {
  const { screen, environment } = fakeScreen()
  const stop = keepScreenAwake(options, { ...environment, ...changes })
  await advance(0)
  return { screen, stop }
}

it('holds one lock and releases it at the end', async () => {
  const { screen, stop } = await begin(PLAYER_WAKE_LOCK)
  await advance(120_000)
  expect(screen).toMatchObject({ requests: 1, moves: 0 })
  expect(screen.held.size).toBe(1)
  stop()
  await advance(120_000)
  expect(screen.held.size).toBe(0)
  expect(screen.requests).toBe(1)
  expect(screen.watchers.size).toBe(0)
})

it('requests the lock again 50 ms after losing it', async () => {
  const { screen } = await begin(PLAYER_WAKE_LOCK)
  screen.revoke()
  await advance(49)
  expect(screen.requests).toBe(1)
  await advance(1)
  expect(screen.requests).toBe(2)
  expect(screen.held.size).toBe(1)
})

it('requests no lock while the page is hidden, and one as soon as it is shown', async () => {
  const { screen } = await begin(LIVE_WAKE_LOCK)
  screen.show(false)
  await advance(180_000)
  expect(screen.requests).toBe(1)
  screen.show(true)
  await advance(0)
  expect(screen.held.size).toBe(1)
})

it.each([
  { name: 'player', options: PLAYER_WAKE_LOCK, retryMs: 3_000 },
  { name: 'live page', options: LIVE_WAKE_LOCK, retryMs: 2_000 },
])(
  '$name: requests the lock again $retryMs ms after a refusal, until it is granted',
  async ({ options, retryMs }) => {
    const { screen, environment } = fakeScreen()
    screen.refuses = true
    keepScreenAwake(options, environment)
    await advance(retryMs - 1)
    expect(screen.requests).toBe(1)
    await advance(1)
    expect(screen.requests).toBe(2)
    screen.refuses = false
    await advance(retryMs)
    expect(screen.held.size).toBe(1)
  },
)

it('releases a lock that is granted after the stop', async () => {
  const { screen, environment } = fakeScreen()
  keepScreenAwake(PLAYER_WAKE_LOCK, environment)()
  await advance(0)
  expect(screen.held.size).toBe(0)
})

it('simulates a mouse move every 25 s without a lock', async () => {
  const { screen, stop } = await begin(PLAYER_WAKE_LOCK, { wakeLock: undefined })
  await advance(75_000)
  expect(screen.moves).toBe(3)
  stop()
  await advance(75_000)
  expect(screen.moves).toBe(3)
})

it('live page: simulates activity every 20 s, in fullscreen every 5 s', async () => {
  const { screen } = await begin(LIVE_WAKE_LOCK)
  await advance(60_000)
  expect(screen.moves).toBe(3)
  screen.isFullscreen = true
  await advance(20_000)
  expect(screen.moves).toBe(7)
})

it('live page: notices within a minute that a lock is missing', async () => {
  const { screen, environment } = fakeScreen()
  screen.isVisible = false
  keepScreenAwake(LIVE_WAKE_LOCK, environment)
  // Some embedded browsers fire no event when the page is shown.
  screen.isVisible = true
  await advance(59_999)
  expect(screen.requests).toBe(0)
  await advance(1)
  expect(screen.held.size).toBe(1)
})

it('uses the keep-awake plugin of a native app instead of the browser’s lock', async () => {
  const keepAwake = { keepAwake: vi.fn(async () => {}), allowSleep: vi.fn(async () => {}) }
  const { screen, stop } = await begin(PLAYER_WAKE_LOCK, { keepAwake })
  expect(keepAwake.keepAwake).toHaveBeenCalledOnce()
  expect(screen.requests).toBe(0)
  stop()
  expect(keepAwake.allowSleep).toHaveBeenCalledOnce()
})

it('recognises a native app by its bridge', () => {
  const KeepAwake = { keepAwake: async () => {}, allowSleep: async () => {} }
  expect(nativePlugins({})).toEqual({})
  expect(nativePlugins({ Capacitor: { isNativePlatform: () => false, Plugins: { KeepAwake } } })).toEqual({})
  expect(nativePlugins({ Capacitor: { isNativePlatform: () => true } })).toEqual({})
  expect(nativePlugins({ Capacitor: { isNativePlatform: () => true, Plugins: { KeepAwake } } })).toEqual({
    KeepAwake,
  })
})
