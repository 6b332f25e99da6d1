import { until } from '@looptide/testkit/until'
import { expect } from 'vitest'
import type { FaultHarness } from '../support/fault-harness.ts'
import { hold } from '../support/fault-table.ts'
import { signUp } from '../support/people.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** What each process whose clock is set is asked, so that it logs when that was. */
const ASKED = {
  gateway: '/api/config',
  'stream-scheduler': '/api/channels',
  'stream-scheduler-2': '/api/channels',
  auth: '/auth/v1/settings',
  chat: '/api/chat/channels/test-card/settings',
} as const

export type ClockName = keyof typeof ASKED

/** Sets the clock of one process an hour ahead, an hour back, and right again, while users sign up. */
export async function jump(harness: FaultHarness, name: ClockName, ms: number): Promise<void> {
  const { station } = harness
  for (const offMs of [HOUR_MS, -HOUR_MS, 0]) {
    await harness.setClock(name, offMs)
    await hold(ms)
    const person = await signUp(station.url, 'newcomer')
    const own = await fetch(`${station.url}/api/me`, {
      headers: { authorization: `Bearer ${person.accessToken}` },
    })
    expect(own.status).toBe(200)
    await until('its clock is off', async () => {
      await fetch(station.fleet.urlOf(name) + ASKED[name])
      return Math.abs(loggedOffMs(harness, name) - offMs) < MINUTE_MS
    })
  }
}

/** How far the clock of a process was off when it last logged something. */
function loggedOffMs({ station }: FaultHarness, name: string): number {
  const last = station.logs(name).trimEnd().split('\n').at(-1) ?? '{}'
  return new Date(JSON.parse(last).time).getTime() - Date.now()
}
