import { serviceNames } from '@looptide/backing/service-names'
import { untilReady } from '@looptide/test-station/station'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { BACKING, FaultHarness } from '../support/fault-harness.ts'
import { FaultTable, hold } from '../support/fault-table.ts'
import { nightly, sized } from '../support/sizes.ts'
import { outlastAnOutage } from './backlog.ts'
import { type ClockName, jump } from './clock-jump.ts'
import { freeze } from './freeze.ts'
import { fillTheDisk } from './full-disk.ts'
import { poisonEveryStream } from './poison.ts'
import { silenceTheRelay } from './silent-relay.ts'
import { readSlowly } from './slow-viewer.ts'
import { expectWholeTimelines, stopALeader } from './two-leaders.ts'

/** The short form runs only faults that no test of a single service covers. */
const FREEZE_MS = sized(6000, 30_000)
const FROZEN = sized<readonly string[]>(['chat'], [...serviceNames, ...BACKING])
const CUT_MS = sized(4000, 30_000)
const DISK_MS = sized(500, 30_000)
const CLOCKS = sized<readonly ClockName[]>(
  ['gateway', 'stream-scheduler'],
  ['gateway', 'stream-scheduler', 'stream-scheduler-2', 'auth', 'chat'],
)
const CLOCK_MS = sized(1500, 8000)
const QUEUED = 10_000
const FEW_MINUTES = 360_000

let harness: FaultHarness
const table = new FaultTable()

beforeAll(async () => {
  harness = await FaultHarness.open()
}, 180_000)

afterAll(async () => {
  console.log(`\n${table}\n`)
  await harness?.close()
})

/** Defines a test that adds a row to the table of faults. */
function fault(
  name: string,
  strike: () => Promise<void>,
  options: { tolerated?: readonly string[]; after?: () => Promise<void> } = {},
): void {
  const { tolerated = [], after = async () => undefined } = options
  test(
    name,
    async () => {
      await table.measure(harness.load, name, {
        strike,
        tolerated,
        isWell: () => untilReady(harness.station),
        explain: () => harness.internalErrors(),
      })
      await after()
    },
    FEW_MINUTES,
  )
}

describe('with ten users who chat, twenty viewers and an active admin', () => {
  for (const name of FROZEN) {
    // A suspended gateway accepts connections but does not respond.
    const tolerated = name === 'gateway' ? ['no answer in 15 s'] : []
    fault(`${name} is suspended for ${FREEZE_MS / 1000} s`, () => freeze(harness, name, FREEZE_MS), {
      tolerated,
    })
  }

  fault('one of two leaders is suspended beyond its lease, and resumes', () => stopALeader(harness), {
    after: () => expectWholeTimelines(harness),
  })

  fault('the relay that publishes a service’s events is suspended, and killed', () =>
    silenceTheRelay(harness),
  )

  fault(`no data reaches Postgres, Redis and NATS for ${CUT_MS / 1000} s`, async () => {
    for (const { line } of Object.values(harness.lines)) line.cut('blackHole')
    await hold(CUT_MS)
    for (const { line } of Object.values(harness.lines)) line.restore()
  })

  fault('the disk of Postgres is full', () => fillTheDisk(harness, DISK_MS))

  for (const name of CLOCKS) {
    fault(`the clock of ${name} jumps by an hour and back`, () => jump(harness, name, CLOCK_MS), {
      after: () => expectWholeTimelines(harness),
    })
  }

  fault('a viewer reads more slowly than frames arrive', () => readSlowly(harness))

  fault('every stream holds a message that is not an event', () => poisonEveryStream(harness))

  if (nightly) networkFaults()

  if (nightly) {
    fault(`${QUEUED} events wait for chat, which was down`, () => outlastAnOutage(harness, QUEUED), {
      // Fastify answers a plain 503 while it closes.
      tolerated: ['503'],
    })
  }

  test('no acknowledged write was lost or applied twice', () => harness.load.expectNothingLost())

  test('the timeline did not jump, and the air log has no gap', async () => {
    await harness.load.expectTimelineKept()
    await expectWholeTimelines(harness)
  })
})

/** Faults of the network connections to the three stores, and restarts of the stores. */
function networkFaults(): void {
  for (const name of BACKING) {
    fault(`no data reaches ${name} for ${CUT_MS / 1000} s`, async () => {
      harness.lines[name].line.cut('blackHole')
      await hold(CUT_MS)
      harness.lines[name].line.restore()
    })
    fault(`all connections to ${name} are reset for ${CUT_MS / 1000} s`, async () => {
      harness.lines[name].line.cut('reset')
      await hold(CUT_MS)
      harness.lines[name].line.restore()
    })
    fault(`a firewall drops the connections to ${name}`, async () => harness.lines[name].line.forget())
    fault(`the line to ${name} is slow: 100 ms each way, 200 kB/s`, async () => {
      harness.lines[name].line.slow({ latencyMs: 100, bytesPerSecond: 200_000 })
      await hold(CUT_MS)
      harness.lines[name].line.restore()
    })
    fault(`${name} is restarted`, () => harness.lines[name].backing.restart())
  }
}
