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

/** One hour per second. */
const FACTOR = 3600
/** A week and two days, so that retention periods of eight days end. */
const HOURS = sized(9, 9 * 24)
/** Every night at two; once in the short form. */
const INCIDENTS_AT = sized(
  [4],
  Array.from({ length: 9 }, (_, day) => day * 24 + 14),
)
/** Maximum growth of a process's heap per simulated day (MiB), including measuring errors. */
const MOST_GROWTH = 0.5
const TIMEOUT_MS = 30_000

let fast: FastStation
let lived: Lived
beforeAll(async () => {
  fast = await startFastStation(FACTOR)
  lived = await live(fast, { hours: HOURS, incidentsAt: INCIDENTS_AT })
}, 900_000)
afterAll(() => fast?.stop(), 60_000)

/** Waits until a check finds nothing. Otherwise fails with the last findings. */
async function settled(what: string, probe: () => Promise<string[]>): Promise<void> {
  let found: string[] = []
  const isSo = async () => {
    found = await probe().catch((error: unknown) => [String(error)])
    return found.length === 0
  }
  await until(what, isSo, { timeoutMs: TIMEOUT_MS }).catch(() => undefined)
  expect(found).toEqual([])
}

describe(`after ${HOURS} simulated hours with ${INCIDENTS_AT.length} incidents`, () => {
  test('every request was answered, or refused as unavailable', () => {
    expect(lived.ledger.faults).toEqual([])
    const { requests, succeeded } = lived.ledger.totals()
    expect(succeeded).toBeGreaterThan(requests / 2)
    expect(lived.said).toBeGreaterThan(HOURS)
  })

  test('every event was published, and there are no dead letters', async () => {
    await settled('the outboxes are empty', () => waitingEvents(fast.databaseUrl))
    expect(await deadLetters(fast.databaseUrl)).toEqual([])
  })

  test('no row refers to a missing row, and every projection equals its source', async () => {
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

  test('overdue rows are deleted, and every other table has a bound', async () => {
    expect(await unboundedTables(fast.databaseUrl)).toEqual([])
    await settled('no table has overdue rows', () => findOverdue(fast.databaseUrl, fast.now()))
  })

  test('every change of an admin is in the audit log', async () => {
    const audited = await auditedSince(fast.databaseUrl, lived.startedAtMs)
    for (const { action, acknowledged, asked } of lived.ledger.changes()) {
      const count = audited.get(action) ?? 0
      expect(count, action).toBeGreaterThanOrEqual(acknowledged)
      expect(count, action).toBeLessThanOrEqual(asked)
    }
  })

  test('the memory of no process grows', async () => {
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
