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
import { describeAnyRequests, describeBadRequests } from './routes.ts'
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
// Otherwise the limit of ten guarded actions an hour would refuse most hostile bodies.
beforeEach(() => letAnHourPass(fixture.station))
afterAll(async () => {
  report()
  slow?.stop()
  await fixture?.close()
})

// One station for all parts, in this order: the refused requests are sent while nothing else changes data, and the
// schedules while their channel has its videos, which an accepted request may remove.
describeBadRequests(() => fixture)
describeSchedules(() => fixture)
describeAnyRequests(() => fixture)
describeBodies(() => fixture)
describePictures(() => fixture)
describePaths(() => fixture)
describeHttpTricks(() => fixture)
describeSteeredRequests(() => fixture)
describeProviders(() => fixture)
describeSockets(() => fixture)
describeSlowClients(
  () => fixture,
  () => slow,
)

describe('after all hostile input', () => {
  it('every process still runs and was not restarted', async () => {
    const { station, pids } = fixture
    // The mail catcher starts with the first mail.
    expect(station.pids).toMatchObject(pids)
    for (const url of [station.url, ...Object.values(station.urls)]) {
      const response = await fetch(`${url}/livez`)
      expect([url, response.status]).toEqual([url, 200])
    }
  })

  it('no process has requested a URL from a client’s text', () => {
    expect(fixture.bait.calls).toBe(0)
  })

  it('no metric of any process has a label with a client’s value', async () => {
    const { station, gatewayMetricsUrl: gateway } = fixture
    for (const [name, url] of Object.entries({ ...station.urls, gateway })) {
      const series = readSeries(await (await fetch(`${url}/metrics`)).text())
      expect([name, series.length > 0, findUnboundedLabels(series)]).toEqual([name, true, []])
    }
  })

  it('enough requests were sent', () => {
    const total = [...sent.values()].reduce((sum, number) => sum + number, 0)
    expect(total).toBeGreaterThan(nightly ? 100_000 : 3000)
  })
})
