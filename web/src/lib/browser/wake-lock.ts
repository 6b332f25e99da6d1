import { useEffect } from 'react'
import { type CapacitorHost, type KeepAwakePlugin, nativePlugins } from './native-platform.ts'

/** Intervals for keeping the screen awake, in ms; all from docs/product/viewer.md §9. */
export interface WakeLockOptions {
  /** Delay before the lock is requested again after a refusal. */
  retryMs: number
  /** Interval of simulated activity, even while the lock is held: some televisions sleep anyway. */
  activityMs?: { ordinary: number; fullscreen: number }
  /** Interval of checks that the lock is still held. */
  checkMs?: number
}

export const PLAYER_WAKE_LOCK: WakeLockOptions = { retryMs: 3_000 }
export const LIVE_WAKE_LOCK: WakeLockOptions = {
  retryMs: 2_000,
  activityMs: { ordinary: 20_000, fullscreen: 5_000 },
  checkMs: 60_000,
}

const REACQUIRE_MS = 50
const FALLBACK_MOVE_MS = 25_000

type Sentinel = Pick<WakeLockSentinel, 'release'> & {
  addEventListener: (type: 'release', listener: () => void) => void
}

/** The functions of the browser or the native app that are used here. */
export interface WakeLockEnvironment {
  /** Undefined if the browser has none, e.g. on a page without HTTPS. */
  wakeLock: { request: (type: 'screen') => Promise<Sentinel> } | undefined
  /** Undefined outside a native app. */
  keepAwake: KeepAwakePlugin | undefined
  isVisible: () => boolean
  isFullscreen: () => boolean
  /** Calls back whenever the page is shown or hidden. Returns a function that unsubscribes. */
  onVisibility: (listener: () => void) => () => void
  /** Dispatches a mouse move. */
  simulateMove: () => void
}

/**
 * Keeps the screen awake until the returned function is called: with the native app's plugin, else the browser's wake
 * lock, else simulated activity. A lock that is lost (a hidden tab, a low battery) is requested again.
 */
export function keepScreenAwake(
  options: WakeLockOptions,
  environment: WakeLockEnvironment = browserEnvironment(),
): () => void {
  const stops = [
    holdLock(options, environment),
    options.activityMs ? simulateActivity(options.activityMs, environment) : undefined,
  ]
  return () => {
    for (const stop of stops) stop?.()
  }
}

interface Hold {
  release: () => Promise<void>
  onLost: (listener: () => void) => void
}

function holdLock({ retryMs, checkMs }: WakeLockOptions, environment: WakeLockEnvironment): () => void {
  const request = lockRequest(environment)
  let held: Hold | undefined
  let isRequesting = false
  let isStopped = false
  let retryTimer: ReturnType<typeof setTimeout> | undefined

  const acquire = async () => {
    clearTimeout(retryTimer)
    // A hidden page would be refused. `onVisibility` calls this again when it is shown.
    if (!request || isStopped || isRequesting || held || !environment.isVisible()) return
    isRequesting = true
    try {
      take(await request())
    } catch {
      if (!isStopped) retryTimer = setTimeout(() => void acquire(), retryMs)
    } finally {
      isRequesting = false
    }
  }
  const take = (hold: Hold) => {
    if (isStopped) {
      void release(hold)
      return
    }
    held = hold
    hold.onLost(() => {
      if (held !== hold) return
      held = undefined
      if (!isStopped) retryTimer = setTimeout(() => void acquire(), REACQUIRE_MS)
    })
  }

  void acquire()
  const stopWatching = environment.onVisibility(() => void acquire())
  const check = checkMs === undefined ? undefined : setInterval(() => void acquire(), checkMs)
  const fallback = setInterval(() => {
    if (!held) environment.simulateMove()
  }, FALLBACK_MOVE_MS)

  return () => {
    isStopped = true
    stopWatching()
    clearTimeout(retryTimer)
    clearInterval(check)
    clearInterval(fallback)
    if (held) void release(held)
    held = undefined
  }
}

/** The request for the lock of this platform; undefined if it has none. */
function lockRequest({ keepAwake, wakeLock }: WakeLockEnvironment): (() => Promise<Hold>) | undefined {
  if (keepAwake) {
    return async () => {
      await keepAwake.keepAwake()
      return { release: () => keepAwake.allowSleep(), onLost: () => undefined }
    }
  }
  if (!wakeLock) return undefined
  return async () => {
    const sentinel = await wakeLock.request('screen')
    return {
      release: () => sentinel.release(),
      onLost: (listener) => sentinel.addEventListener('release', listener),
    }
  }
}

/** Ignores failures: a lock that cannot be released is lost already. */
async function release(hold: Hold): Promise<void> {
  await hold.release().catch(() => undefined)
}

/** Checks at the shorter interval, so that entering fullscreen takes effect at once. */
function simulateActivity(
  { ordinary, fullscreen }: NonNullable<WakeLockOptions['activityMs']>,
  { isFullscreen, simulateMove }: WakeLockEnvironment,
): () => void {
  let idleMs = 0
  const timer = setInterval(() => {
    idleMs += fullscreen
    if (idleMs < (isFullscreen() ? fullscreen : ordinary)) return
    idleMs = 0
    simulateMove()
  }, fullscreen)
  return () => clearInterval(timer)
}

function browserEnvironment(): WakeLockEnvironment {
  const native = nativePlugins(window as CapacitorHost)
  return {
    // The types claim that it always exists, but browsers omit it where it is not allowed.
    wakeLock: (navigator as Partial<Pick<Navigator, 'wakeLock'>>).wakeLock,
    keepAwake: native.KeepAwake,
    isVisible: () => document.visibilityState === 'visible',
    isFullscreen: () => document.fullscreenElement !== null,
    onVisibility: (listener) => {
      document.addEventListener('visibilitychange', listener)
      return () => document.removeEventListener('visibilitychange', listener)
    },
    simulateMove: () => document.dispatchEvent(new MouseEvent('mousemove', { bubbles: true })),
  }
}

/** Keeps the screen awake while mounted and `isEnabled`. */
export function useWakeLock(options: WakeLockOptions, isEnabled = true): void {
  useEffect(() => (isEnabled ? keepScreenAwake(options) : undefined), [options, isEnabled])
}
