import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import type { FaultHarness } from '../support/fault-harness.ts'
import { hold } from '../support/fault-table.ts'
import { signUp } from '../support/people.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A request to each process whose clock is set, so that it logs its time. */
const ASKED = {
  gateway: '/api/config',
  'stream-scheduler': '/api/channels',
  'stream-scheduler-2': '/api/channels',
  auth: '/auth/v1/settings',
  chat: '/api/chat/channels/test-card/settings',
} as const

export type ClockName = keyof typeof ASKED

/** Sets the clock of one process an hour ahead, then an hour back, then right, while users sign up. */
export async function jump(harness: FaultHarness, name: ClockName, ms: number): Promise<void> {
  const { station } = harness
  for (const offMs of [HOUR_MS, -HOUR_MS, 0]) {
    await harness.setClock(name, offMs)
    await hold(ms)
    const person = await signUp(station.url, 'newcomer')
    await clientOf(station.url, person.accessToken).call('GET /api/me')
    await until('its clock has the offset', async () => {
      await fetch(station.fleet.urlOf(name) + ASKED[name])
      return Math.abs(loggedOffMs(harness, name) - offMs) < MINUTE_MS
    })
  }
}

/** The clock offset of a process in its last log line. */
function loggedOffMs({ station }: FaultHarness, name: string): number {
  const last = station.logs(name).trimEnd().split('\n').at(-1) ?? '{}'
  return new Date(JSON.parse(last).time).getTime() - Date.now()
}
