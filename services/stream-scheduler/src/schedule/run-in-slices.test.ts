import { expect, it } from 'vitest'
import { runInSlices } from './run-in-slices.ts'

it('other work of the process runs before long steps have ended', async () => {
  const order: string[] = []
  function* steps() {
    // Ends without other work only if there was none for long.
    const endsAtMs = performance.now() + 10_000
    setImmediate(() => order.push('other work'))
    while (order.length === 0 && performance.now() < endsAtMs) yield
    order.push('end')
    return 'result'
  }
  expect(await runInSlices(steps())).toBe('result')
  expect(order).toEqual(['other work', 'end'])
})
