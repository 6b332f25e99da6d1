import { type CapacitorHost, type KeepAwakePlugin, nativePlugins } from './native-platform.ts'

/** How persistently the screen is kept awake. Times in ms; all from docs/product/viewer.md §9. */
export type WakeLockRhythm = {
  /** After a refusal. */
  retryMs: number
  /** Shows activity this often although the lock is held: some televisions sleep all the same. */
  activityMs?: { ordinary: number; fullscreen: number }
  /** Looks this often whether the lock is still held. */
  checkMs?: number
}

export const PLAYER_WAKE_LOCK: WakeLockRhythm = { retryMs: 3_000 }
export const LIVE_WAKE_LOCK: WakeLockRhythm = {
  retryMs: 2_000,
  activityMs: { ordinary: 20_000, fullscreen: 5_000 },
  checkMs: 60_000,
}

const REACQUIRE_MS = 50
const FALLBACK_MOVE_MS = 25_000

type Sentinel = Pick<WakeLockSentinel, 'release'> & {
  addEventListener: (type: 'release', listener: () => void) => void
}

/** What the keeper needs of a browser or of the native app around it. */
export type WakeLockSurroundings = {
  /** Undefined where the browser has none, e.g. on a page without https. */
  wakeLock: { request: (type: 'screen') => Promise<Sentinel> } | undefined
  /** Undefined outside a native app. */
  keepAwake: KeepAwakePlugin | undefined
  isVisible: () => boolean
  isFullscreen: () => boolean
  /** Calls back whenever the page is shown or hidden; returns how to stop. */
  onVisibility: (listener: () => void) => () => void
  /** Moves a mouse that is not there. */
  simulateMove: () => void
}

/**
 * Keeps the screen awake until the returned function is called: by the native app, else by the browser's wake lock,
 * else by the look of activity. A lock that is taken away (a hidden tab, a low battery) is asked for again.
 */
export function keepScreenAwake(
  rhythm: WakeLockRhythm,
  surroundings: WakeLockSurroundings = browserSurroundings(),
): () => void {
  const stops = [
    holdLock(rhythm, surroundings),
    rhythm.activityMs ? showActivity(rhythm.activityMs, surroundings) : undefined,
  ]
  return () => {
    for (const stop of stops) stop?.()
  }
}

type Hold = { release: () => Promise<void>; onLost: (listener: () => void) => void }

function holdLock({ retryMs, checkMs }: WakeLockRhythm, surroundings: WakeLockSurroundings): () => void {
  const request = requester(surroundings)
  let held: Hold | undefined
  let isAsking = false
  let isOver = false
  let again: ReturnType<typeof setTimeout> | undefined

  const acquire = async () => {
    clearTimeout(again)
    // A hidden page is refused; being shown brings it here again.
    if (!request || isOver || isAsking || held || !surroundings.isVisible()) return
    isAsking = true
    try {
      take(await request())
    } catch {
      if (!isOver) again = setTimeout(acquire, retryMs)
    } finally {
      isAsking = false
    }
  }
  const take = (hold: Hold) => {
    if (isOver) {
      void letGo(hold)
      return
    }
    held = hold
    hold.onLost(() => {
      if (held !== hold) return
      held = undefined
      if (!isOver) again = setTimeout(acquire, REACQUIRE_MS)
    })
  }

  void acquire()
  const stopWatching = surroundings.onVisibility(() => void acquire())
  const check = checkMs === undefined ? undefined : setInterval(acquire, checkMs)
  const fallback = setInterval(() => {
    if (!held) surroundings.simulateMove()
  }, FALLBACK_MOVE_MS)

  return () => {
    isOver = true
    stopWatching()
    clearTimeout(again)
    clearInterval(check)
    clearInterval(fallback)
    if (held) void letGo(held)
    held = undefined
  }
}

/** How the lock is asked for here; undefined where there is none. */
function requester({ keepAwake, wakeLock }: WakeLockSurroundings): (() => Promise<Hold>) | undefined {
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

/** A lock that cannot be released is gone already. */
async function letGo(hold: Hold): Promise<void> {
  await hold.release().catch(() => undefined)
}

/** Counts in steps of the shorter time, so that entering fullscreen tells at once. */
function showActivity(
  { ordinary, fullscreen }: NonNullable<WakeLockRhythm['activityMs']>,
  { isFullscreen, simulateMove }: WakeLockSurroundings,
): () => void {
  let restedMs = 0
  const timer = setInterval(() => {
    restedMs += fullscreen
    if (restedMs < (isFullscreen() ? fullscreen : ordinary)) return
    restedMs = 0
    simulateMove()
  }, fullscreen)
  return () => clearInterval(timer)
}

function browserSurroundings(): WakeLockSurroundings {
  const native = nativePlugins(window as CapacitorHost)
  return {
    // Browsers leave it out where it is not allowed, whatever their types say.
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
