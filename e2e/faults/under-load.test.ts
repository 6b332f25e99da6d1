import { serviceNames } from '@looptide/runner/service-names'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { BACKING, FaultStage } from '../support/fault-stage.ts'
import { FaultTable, hold } from '../support/fault-table.ts'
import { untilReady } from '../support/ready.ts'
import { nightly, sized } from '../support/sizes.ts'
import { outlastAnOutage } from './backlog.ts'
import { type ClockName, jump } from './clock-jump.ts'
import { freeze } from './freeze.ts'
import { fillTheDisk } from './full-disk.ts'
import { poisonEveryStream } from './poison.ts'
import { silenceTheRelay } from './silent-relay.ts'
import { readSlowly } from './slow-viewer.ts'
import { expectWholeTimelines, stopALeader } from './two-leaders.ts'

/** Short: what no test of a single service shows as well. */
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

let stage: FaultStage
const table = new FaultTable()

beforeAll(async () => {
  stage = await FaultStage.open()
}, 180_000)

afterAll(async () => {
  console.log(`\n${table}\n`)
  await stage?.close()
})

/** A test whose fault becomes a row of the table. */
function fault(
  name: string,
  strike: () => Promise<void>,
  options: { tolerated?: readonly string[]; after?: () => Promise<void> } = {},
): void {
  const { tolerated = [], after = async () => undefined } = options
  test(
    name,
    async () => {
      await table.measure(stage.load, name, { strike, tolerated, isWell: () => untilReady(stage.station) })
      await after()
    },
    FEW_MINUTES,
  )
}

describe('while ten chat, twenty watch and an admin works', () => {
  for (const name of FROZEN) {
    // A gateway that stands still is a door that nobody opens.
    const tolerated = name === 'gateway' ? ['no answer in 15 s'] : []
    fault(`${name} stands still for ${FREEZE_MS / 1000} s`, () => freeze(stage, name, FREEZE_MS), {
      tolerated,
    })
  }

  fault('one of two leaders stops beyond its lease, and wakes up', () => stopALeader(stage), {
    after: () => expectWholeTimelines(stage),
  })

  fault('the relay that publishes a service’s events stands still, and is killed', () =>
    silenceTheRelay(stage),
  )

  fault(`nothing reaches Postgres, Redis and NATS for ${CUT_MS / 1000} s`, async () => {
    for (const { line } of Object.values(stage.lines)) line.cut('blackHole')
    await hold(CUT_MS)
    for (const { line } of Object.values(stage.lines)) line.restore()
  })

  fault('the disk of Postgres is full', () => fillTheDisk(stage, DISK_MS))

  for (const name of CLOCKS) {
    fault(`the clock of ${name} jumps by an hour, and back`, () => jump(stage, name, CLOCK_MS), {
      after: () => expectWholeTimelines(stage),
    })
  }

  fault('a viewer reads slowly what comes fast', () => readSlowly(stage))

  fault('something that is no event is in every stream', () => poisonEveryStream(stage))

  if (nightly) networkFaults()

  if (nightly) {
    fault(`${QUEUED} events wait for chat, which was down`, () => outlastAnOutage(stage, QUEUED), {
      // A service that is being stopped says so in its server's own words.
      tolerated: ['503'],
    })
  }

  test('nothing acknowledged was lost or doubled, for anybody', () => stage.load.expectNothingLost())

  test('the timeline did not jump, and the air log has no gap', async () => {
    await stage.load.expectTimelineKept()
    await expectWholeTimelines(stage)
  })
})

/** What can happen to each of the three lines, and to what stands at their ends. */
function networkFaults(): void {
  for (const name of BACKING) {
    fault(`nothing reaches ${name} for ${CUT_MS / 1000} s`, async () => {
      stage.lines[name].line.cut('blackHole')
      await hold(CUT_MS)
      stage.lines[name].line.restore()
    })
    fault(`all connections to ${name} are reset for ${CUT_MS / 1000} s`, async () => {
      stage.lines[name].line.cut('reset')
      await hold(CUT_MS)
      stage.lines[name].line.restore()
    })
    fault(`a firewall forgets the connections to ${name}`, async () => stage.lines[name].line.forget())
    fault(`the line to ${name} is slow: 100 ms each way, 200 kB/s`, async () => {
      stage.lines[name].line.slow({ latencyMs: 100, bytesPerSecond: 200_000 })
      await hold(CUT_MS)
      stage.lines[name].line.restore()
    })
    fault(`${name} is restarted`, () => stage.lines[name].backing.restart())
  }
}
