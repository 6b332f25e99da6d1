import type { StoreName } from '@looptide/runner/backing/start-backing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settle } from '../support/consistency.ts'
import { FaultTable, hold } from '../support/fault-table.ts'
import { PowerStage, STORES } from '../support/power-stage.ts'
import { untilReady } from '../support/ready.ts'
import { sized } from '../support/sizes.ts'

/** Each store alone, and all of them at once. */
const SCENARIOS: readonly (readonly StoreName[])[] = [...STORES.map((store) => [store]), STORES]
const ROUNDS = sized(1, 25)
/** The power is cut after a random time under load, and stays off for a while (ms). */
const LOAD_MS = { least: 1500, most: 4000 }
const OFF_MS = 500
const EDIT_EVERY_MS = 100
const FEW_MINUTES = 300_000

const between = ({ least, most }: { least: number; most: number }) => least + Math.random() * (most - least)

describe('while ten chat, twenty watch, an admin works and an editor writes', () => {
  let stage: PowerStage
  const table = new FaultTable()

  beforeAll(async () => {
    stage = await PowerStage.open()
  }, 180_000)

  afterAll(async () => {
    console.log(`\n${table}\n`)
    await stage?.close()
  })

  const cuts = Array.from({ length: ROUNDS }, (_, round) =>
    SCENARIOS.map((stores) => `power cut ${round + 1} of ${stores.join(', ')}`),
  )
  test.each(cuts.flat().map((name, index) => [name, SCENARIOS[index % SCENARIOS.length] ?? STORES] as const))(
    '%s: nothing acknowledged is lost or applied twice',
    async (name, stores) => {
      const before = stage.editor.count
      const strikeAtMs = Date.now()
      stage.editor.start(EDIT_EVERY_MS)
      await table.measure(stage.load, name, {
        strike: async () => {
          await hold(between(LOAD_MS))
          await stage.cut(stores)
          await hold(OFF_MS)
          await stage.restore(stores)
        },
        isWell: () => untilReady(stage.station),
      })
      await stage.editor.stop()
      const differences = await settle(stage.station.databaseUrl, stage.editor.written)
      console.log(`${name}: ${stage.editor.count - before} edits acknowledged`, differences)
      if (Object.keys(differences).length > 0) console.log(stage.warningsSince(strikeAtMs))
      expect(differences).toEqual({})
    },
    FEW_MINUTES,
  )

  test('every message and every change of name is there once', async () => {
    await stage.load.expectNothingLost()
  })
})
