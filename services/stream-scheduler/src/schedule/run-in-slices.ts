import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longest time (ms) for which planning blocks the process, unless a single step takes longer. */
const SLICE_MS = 25

/** Runs a generator to its end and returns its result. Other work of the process runs in between. */
export async function runInSlices<T>(steps: Generator<unknown, T>): Promise<T> {
  let sliceEndsAtMs = performance.now() + SLICE_MS
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() < sliceEndsAtMs) continue
    await nextTurn()
    sliceEndsAtMs = performance.now() + SLICE_MS
  }
}
