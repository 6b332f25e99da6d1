import { setTimeout as pause } from 'node:timers/promises'
import { takeLock } from './file-lock.ts'

const LOOK_EVERY_MS = 200

interface BuildOptions {
  /** The lock's file, in a folder that exists. */
  lock: string
  /** Whether what would be built is there already. */
  isBuilt: () => boolean
  build: () => Promise<void>
  /** Ends the waiting for another process's build with a rejection. */
  signal: AbortSignal
}

/** Builds unless it is built already. Of several processes at the same time one builds, and the others wait for it. */
export async function buildOnce({ lock, isBuilt, build, signal }: BuildOptions): Promise<void> {
  while (!isBuilt()) {
    const taken = takeLock(lock)
    if (!('release' in taken)) {
      await pause(LOOK_EVERY_MS, undefined, { signal })
      continue
    }
    try {
      // Another process may have built it between the look and the lock.
      if (!isBuilt()) await build()
      return
    } finally {
      taken.release()
    }
  }
}
