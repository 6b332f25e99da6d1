import { pause } from '@looptide/service-kit/nats'

const never = new AbortController().signal

/**
 * Runs `work` and answers no earlier than `floorMs` after its start, well or ill. What is done for a known
 * address takes longer than for an unknown one; behind the floor both look the same.
 */
export async function withFloor<T>(floorMs: number, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    return await work()
  } finally {
    await pause(Math.max(0, floorMs - (performance.now() - startedAt)), never)
  }
}
