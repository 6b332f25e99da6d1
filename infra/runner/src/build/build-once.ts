import { setTimeout as pause } from 'node:timers/promises'
import { takeLock } from '../locks/file-lock.ts'

const LOOK_EVERY_MS = 200

interface BuildOptions {
  /** Path of the lock file. Its folder must exist. */
  lock: string
  /** Whether the result exists already. */
  isBuilt: () => boolean
  build: () => Promise<void>
  /** Stops waiting for another process's build; the call rejects. */
  signal: AbortSignal
}

/** Builds unless the result exists. Of several concurrent processes one builds and the others wait for it. */
export async function buildOnce({ lock, isBuilt, build, signal }: BuildOptions): Promise<void> {
  while (!isBuilt()) {
    const taken = takeLock(lock)
    if (!('release' in taken)) {
      await pause(LOOK_EVERY_MS, undefined, { signal })
      continue
    }
    try {
      // Another process may have built it between the check and the lock.
      if (!isBuilt()) await build()
      return
    } finally {
      taken.release()
    }
  }
}
