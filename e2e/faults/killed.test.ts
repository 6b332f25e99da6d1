import { serviceNames } from '@looptide/backing/service-names'
import type { HealthReport } from '@looptide/contracts/http/admin'
import type { Station } from '@looptide/runner/station/station'
import { startTestStation, untilReady } from '@looptide/test-station/station'
import { type FakeYoutube, startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { FAN_SETTINGS } from '../support/fan.ts'
import { FaultTable } from '../support/fault-table.ts'
import { killProcess } from '../support/kill-process.ts'
import { Load } from '../support/load.ts'
import { getJson } from '../support/records.ts'
import { describeKilledAccounts } from './killed-accounts.ts'
import { describeKilledPublications } from './killed-publications.ts'
import { describeKilledTakeovers } from './killed-takeovers.ts'
import { describeLostJobs } from './lost-jobs.ts'

const PROCESSES = [...serviceNames, 'postgres', 'redis', 'nats']

/** One station for all kills, in this order: the load watches a channel that a later part takes over. */
const running = {} as { station: Station; youtube: FakeYoutube }
const station = (): Station => running.station

/** Whether every service was healthy, with all dependencies, in a check after `sinceMs` (epoch ms). */
async function allHealthy(sinceMs: number): Promise<boolean> {
  const { results } = await getJson<HealthReport>(station().url, '/api/health')
  return (
    results.length === serviceNames.length && results.every((one) => one.healthy && one.checkedAtMs > sinceMs)
  )
}

beforeAll(async () => {
  running.youtube = await startFakeYoutube()
  running.station = await startTestStation({ fakeYoutube: running.youtube.url, env: FAN_SETTINGS })
}, 180_000)

afterAll(async () => {
  await running.station?.stop()
  await running.youtube?.stop()
})

describe('with ten users who chat, twenty viewers and an active admin', () => {
  let load: Load
  const table = new FaultTable()

  beforeAll(async () => {
    load = await Load.start(station().url)
  }, 180_000)

  afterAll(async () => {
    console.log(`\n${table}\n`)
    await load?.stop()
  })

  for (const name of PROCESSES) {
    test(
      `${name} is killed, and the station recovers by itself`,
      () =>
        table.measure(load, `${name} is killed`, {
          strike: () => killProcess(station(), name),
          isWell: () => untilReady(station()),
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

describeKilledAccounts(station)
describeKilledPublications(station)
describeKilledTakeovers(station)
describeLostJobs(running)
