import type { StoreName } from '@looptide/runner/station/start-backing'
import { untilReady } from '@looptide/test-station/station'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settle } from '../support/consistency.ts'
import { FaultTable, hold } from '../support/fault-table.ts'
import { PowerCutHarness, STORES } from '../support/power-cut-harness.ts'
import { sized } from '../support/sizes.ts'

/** All stores at once; in the long form also each alone. */
const SCENARIOS = sized<readonly (readonly StoreName[])[]>(
  [STORES],
  [...STORES.map((store) => [store]), STORES],
)
const ROUNDS = sized(1, 25)
/** The power is cut after a random time under load and stays off for this time (ms). */
const LOAD_MS = { least: 1500, most: 4000 }
const OFF_MS = 500
const EDIT_EVERY_MS = 100
const FEW_MINUTES = 300_000

const between = ({ least, most }: { least: number; most: number }) => least + Math.random() * (most - least)

describe('with ten users who chat, twenty viewers, an active admin and an editor', () => {
  let harness: PowerCutHarness
  const table = new FaultTable()

  beforeAll(async () => {
    harness = await PowerCutHarness.open()
  }, 180_000)

  afterAll(async () => {
    console.log(`\n${table}\n`)
    await harness?.close()
  })

  const cuts = Array.from({ length: ROUNDS }, (_, round) =>
    SCENARIOS.map((stores) => `power cut ${round + 1} of ${stores.join(', ')}`),
  )
  test.each(cuts.flat().map((name, index) => [name, SCENARIOS[index % SCENARIOS.length] ?? STORES] as const))(
    '%s: no acknowledged write is lost or applied twice',
    async (name, stores) => {
      const before = harness.editor.count
      const cutAtMs = Date.now()
      harness.editor.start(EDIT_EVERY_MS)
      await table.measure(harness.load, name, {
        strike: async () => {
          await hold(between(LOAD_MS))
          await harness.cut(stores)
          await hold(OFF_MS)
          await harness.restore(stores)
        },
        isWell: () => untilReady(harness.station),
      })
      await harness.editor.stop()
      const differences = await settle(harness.station.databaseUrl, harness.editor.written)
      console.log(`${name}: ${harness.editor.count - before} edits acknowledged`, differences)
      if (Object.keys(differences).length > 0) {
        console.log(harness.warningsSince(cutAtMs))
        console.log(await harness.consumerPositions())
      }
      expect(differences).toEqual({})
    },
    FEW_MINUTES,
  )

  test('every message and every rename exists once', async () => {
    await harness.load.expectNothingLost()
  })
})
