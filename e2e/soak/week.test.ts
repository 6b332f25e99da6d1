import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sized } from '../support/sizes.ts'
import { flawsOf, readTakenOff, spansOf } from './checks/air-log.ts'
import {
  auditedSince,
  deadLetters,
  findOrphans,
  findOverdue,
  tableSizes,
  unboundedTables,
  unwatchedColumns,
  waitingEvents,
} from './checks/database.ts'
import { type FastStation, startFastStation } from './fast-station.ts'
import { QUIET_CHANNEL } from './life/admin.ts'
import { HOUR_MS, type Lived, live } from './week.ts'

/** An hour a second. */
const FACTOR = 3600
/** A week and two days: what is kept for eight days is seen to go. */
const HOURS = sized(9, 9 * 24)
/** At two in the night; in the short form once. */
const INCIDENTS_AT = sized(
  [4],
  Array.from({ length: 9 }, (_, day) => day * 24 + 14),
)
/** What a process's heap may grow by in a simulated day (MiB), a measuring error included. */
const MOST_GROWTH = 0.5
const PATIENCE_MS = 30_000

let fast: FastStation
let lived: Lived
beforeAll(async () => {
  fast = await startFastStation(FACTOR)
  lived = await live(fast, { hours: HOURS, incidentsAt: INCIDENTS_AT })
}, 900_000)
afterAll(() => fast?.stop(), 60_000)

/** Waits until what must become true has, and shows what is not true, or could not be checked, if it does not. */
async function settled(what: string, probe: () => Promise<string[]>): Promise<void> {
  let found: string[] = []
  const isSo = async () => {
    found = await probe().catch((error: unknown) => [String(error)])
    return found.length === 0
  }
  await until(what, isSo, { timeoutMs: PATIENCE_MS }).catch(() => undefined)
  expect(found).toEqual([])
}

describe(`after ${HOURS} simulated hours with ${INCIDENTS_AT.length} incidents`, () => {
  test('every request was answered, or refused as unavailable', () => {
    expect(lived.ledger.faults).toEqual([])
    const { requests, succeeded } = lived.ledger.totals()
    expect(succeeded).toBeGreaterThan(requests / 2)
    expect(lived.said).toBeGreaterThan(HOURS)
  })

  test('every event was published, and none is a dead letter', async () => {
    await settled('the outboxes are empty', () => waitingEvents(fast.databaseUrl))
    expect(await deadLetters(fast.databaseUrl)).toEqual([])
  })

  test('no row refers to what is not there, and every copy says what the original does', async () => {
    expect(await unwatchedColumns(fast.databaseUrl)).toEqual([])
    await settled('every projection equals its source', () => findOrphans(fast.databaseUrl))
  })

  test('no channel’s air log has a gap or an overlap', async () => {
    await lived.airLog.read()
    const channels = lived.airLog.channels()
    const takenOff = await readTakenOff(fast.databaseUrl)
    expect([...channels.values()].flatMap((rows) => flawsOf(rows, takenOff))).toEqual([])
    const quiet = channels.get(QUIET_CHANNEL) ?? []
    expect(spansOf(quiet)).toBe(1)
    expect(quiet[0]?.startedAtMs).toBeLessThan(lived.startedAtMs)
    expect((quiet.at(-1)?.endedAtMs ?? 0) - lived.startedAtMs).toBeGreaterThan((HOURS - 1) * HOUR_MS)
  })

  test('rows with a retention period are deleted, and no other table grows without a bound', async () => {
    expect(await unboundedTables(fast.databaseUrl)).toEqual([])
    await settled('the tables are tidy', () => findOverdue(fast.databaseUrl, fast.now()))
  })

  test('every change of an admin is in the audit log', async () => {
    const audited = await auditedSince(fast.databaseUrl, lived.startedAtMs)
    for (const { action, acknowledged, asked } of lived.ledger.changes()) {
      const count = audited.get(action) ?? 0
      expect(count, action).toBeGreaterThanOrEqual(acknowledged)
      expect(count, action).toBeLessThanOrEqual(asked)
    }
  })

  test('no process’s memory grows', async () => {
    const figures = lived.memory.figures()
    const sizes = await tableSizes(fast.databaseUrl)
    console.log(JSON.stringify({ hours: HOURS, ...lived.ledger.totals(), said: lived.said }))
    console.log(lived.incidents.map(({ name }) => name).join('\n'))
    console.table(figures)
    console.log(JSON.stringify(sizes, null, 1))
    expect(new Set(figures.map(({ name }) => name))).toEqual(new Set(fast.station.fleet.names))
    expect(figures.filter(({ slope }) => slope !== null && slope > MOST_GROWTH)).toEqual([])
  })
})
