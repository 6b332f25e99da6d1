import type { HealthReport } from '@looptide/contracts/http/admin'
import { serviceNames } from '@looptide/runner/processes/service-names'
import type { Station } from '@looptide/runner/station/station'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { startTestStation } from '@looptide/testkit/station'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { FaultTable } from '../support/fault-table.ts'
import { killProcess } from '../support/kill-process.ts'
import { Load } from '../support/load.ts'
import { untilReady } from '../support/ready.ts'
import { getJson } from '../support/records.ts'

const PROCESSES = [...serviceNames, 'postgres', 'redis', 'nats']

let youtube: Awaited<ReturnType<typeof startFakeYoutube>>
let station: Station
let load: Load
const table = new FaultTable()

/** Whether every service was healthy, with all dependencies, in a check after `sinceMs` (epoch ms). */
async function allHealthy(sinceMs: number): Promise<boolean> {
  const { results } = await getJson<HealthReport>(station.url, '/api/health')
  return results.length === 7 && results.every((result) => result.healthy && result.checkedAtMs > sinceMs)
}

beforeAll(async () => {
  youtube = await startFakeYoutube()
  station = await startTestStation({ fakeYoutube: youtube.url })
  load = await Load.start(station.url)
}, 180_000)

afterAll(async () => {
  console.log(`\n${table}\n`)
  await load?.stop()
  await station?.stop()
  await youtube?.stop()
})

describe('with ten users who chat, twenty viewers and an active admin', () => {
  for (const name of PROCESSES) {
    test(
      `${name} is killed, and the station recovers by itself`,
      () =>
        table.measure(load, `${name} is killed`, {
          strike: () => killProcess(station, name),
          isWell: () => untilReady(station),
        }),
      180_000,
    )
  }

  test('the health report shows every service as healthy', async () => {
    const sinceMs = Date.now()
    await until('all are healthy', () => allHealthy(sinceMs).catch(() => false), { timeoutMs: 60_000 })
  })

  test('no acknowledged write was lost or applied twice', () => load.expectNothingLost())

  test('the timeline did not jump, and the air log has no gap', () => load.expectTimelineKept())
})
