import { pause } from '@looptide/service-kit/time/pause'

const never = new AbortController().signal

/**
 * Runs `work` and settles no earlier than `minMs` after the start, on success and on failure. A known email takes longer
 * to handle than an unknown one; the minimum hides the difference.
 */
export async function withMinDuration<T>(minMs: number, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    return await work()
  } finally {
    await pause(Math.max(0, minMs - (performance.now() - startedAt)), never)
  }
}
