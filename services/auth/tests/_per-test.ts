import { afterEach } from 'vitest'
import { startAuth, type TestAuth } from './_harness.ts'

const running: { stop(): Promise<void> }[] = []

/** Starts the service for one test and stops it afterwards. */
export async function startForTest(...args: Parameters<typeof startAuth>): Promise<TestAuth> {
  const auth = await startAuth(...args)
  running.push(auth)
  return auth
}

/** Stops `service` after the test. */
export function stopAfterTest(service: { stop(): Promise<void> }): void {
  running.push(service)
}

afterEach(async () => {
  for (const service of running.splice(0)) await service.stop()
})
