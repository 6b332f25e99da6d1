import type { Station } from '@looptide/runner/station/station'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { startTestStation, testAdmin } from '@looptide/testkit/station'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settle } from '../support/consistency.ts'
import { FaultTable } from '../support/fault-table.ts'
import { killProcess } from '../support/kill-process.ts'
import { Load } from '../support/load.ts'
import { signIn } from '../support/people.ts'
import { untilReady } from '../support/ready.ts'
import { WriteLoad } from '../support/write-load.ts'

/** The process of all services, by the name of one of them, and the stores. */
const PROCESSES = ['gateway', 'postgres', 'redis', 'nats']
const EDIT_EVERY_MS = 100

let youtube: Awaited<ReturnType<typeof startFakeYoutube>>
let station: Station
let load: Load
let editor: WriteLoad
const table = new FaultTable()

beforeAll(async () => {
  youtube = await startFakeYoutube()
  station = await startTestStation({
    fakeYoutube: youtube.url,
    env: { LOOPTIDE_PROCESSES: 'one', YOUTUBE_CALLS_PER_SECOND: '1000' },
  })
  load = await Load.start(station.url)
  editor = new WriteLoad(station.url, await signIn(station.url, testAdmin.email, testAdmin.password))
}, 180_000)

afterAll(async () => {
  console.log(`\n${table}\n`)
  await editor?.stop()
  await load?.stop()
  await station?.stop()
  await youtube?.stop()
})

describe('with all services in one process, users who chat, viewers, an active admin and an editor', () => {
  test('the services have one process', () => {
    expect(station.pids.chat).toBe(station.pids.gateway)
  })

  test.each(PROCESSES)(
    '%s is killed, and the station recovers by itself',
    async (name) => {
      const before = editor.count
      editor.start(EDIT_EVERY_MS)
      await table.measure(load, `${name} is killed`, {
        strike: () => killProcess(station, name),
        isWell: () => untilReady(station),
      })
      await editor.stop()
      expect(editor.count).toBeGreaterThan(before)
    },
    180_000,
  )

  test('every acknowledged video, account, ban and playlist entry exists, also in the projections and the audit log', async () => {
    expect(await settle(station.databaseUrl, editor.written)).toEqual({})
  }, 120_000)

  test('every message and every rename exists once', () => load.expectNothingLost())

  test('the timeline did not jump, and the air log has no gap', () => load.expectTimelineKept())
})
