import { findUnboundedLabels, readSeries } from '@looptide/testkit/metric-labels'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FuzzFixture, startFuzzFixture } from '../support/fuzz/fixture.ts'
import { report, seed, sent } from '../support/fuzz/seed.ts'
import { letAnHourPass } from '../support/guarded-actions.ts'
import { nightly } from '../support/sizes.ts'
import { describeBodies } from './bodies.ts'
import { describeHttpTricks } from './http-tricks.ts'
import { describePaths } from './paths.ts'
import { describePictures } from './pictures.ts'
import { describeProviders } from './providers.ts'
import { describeRoutes } from './routes.ts'
import { describeSchedules } from './schedules.ts'
import { describeSlowClients, SlowClients } from './slow-clients.ts'
import { describeSockets } from './sockets.ts'
import { describeSteeredRequests } from './steered-requests.ts'

let fixture: FuzzFixture
let slow: SlowClients

beforeAll(async () => {
  console.log(`Hostile inputs are drawn with FUZZ_SEED=${seed}`)
  fixture = await startFuzzFixture()
  slow = new SlowClients(fixture.station.url)
})
// What the guard allows ten times an hour is reached by hostile bodies of every route.
beforeEach(() => letAnHourPass(fixture.station))
afterAll(async () => {
  report()
  slow?.stop()
  await fixture?.close()
})

// One station for all of it, in this order: what is refused comes while nothing else changes anything.
describeRoutes(() => fixture)
describeBodies(() => fixture)
describeSchedules(() => fixture)
describePictures(() => fixture)
describePaths(() => fixture)
describeHttpTricks(() => fixture)
describeSteeredRequests(() => fixture)
describeProviders(() => fixture)
describeSockets(() => fixture)
describeSlowClients(() => slow)

describe('after all that', () => {
  it('every process is the one it was, and lives', async () => {
    const { station, pids } = fixture
    expect(station.pids).toEqual(pids)
    for (const url of [station.url, ...Object.values(station.urls)]) {
      const response = await fetch(`${url}/livez`)
      expect([url, response.status]).toEqual([url, 200])
    }
  })

  it('no process has asked an address that a stranger wrote', () => {
    expect(fixture.bait.calls).toBe(0)
  })

  it('no metric of any process has a label that a client wrote', async () => {
    const { station, gatewayMetricsUrl: gateway } = fixture
    for (const [name, url] of Object.entries({ ...station.urls, gateway })) {
      const series = readSeries(await (await fetch(`${url}/metrics`)).text())
      expect([name, series.length > 0, findUnboundedLabels(series)]).toEqual([name, true, []])
    }
  })

  it('enough was sent', () => {
    const total = [...sent.values()].reduce((sum, number) => sum + number, 0)
    expect(total).toBeGreaterThan(nightly ? 100_000 : 3000)
  })
})
