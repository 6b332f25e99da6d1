import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Guide } from '@looptide/contracts/http/channels'
import type { ChatMessage, ChatPage } from '@looptide/contracts/http/chat'
import { identify } from '@looptide/runner/processes/process-identity'
import { stationServices } from '@looptide/runner/processes/services'
import type { Station } from '@looptide/runner/station/station'
import { startTestStation, testAdmin, untilReady } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settle } from '../support/consistency.ts'
import { FAN_SETTINGS } from '../support/fan.ts'
import { FaultTable } from '../support/fault-table.ts'
import { killProcess } from '../support/kill-process.ts'
import { Load } from '../support/load.ts'
import { signIn, signUp, type Viewer } from '../support/people.ts'
import { WriteLoad } from '../support/write-load.ts'

/** The process of all services, by the name of one of them, and the stores. */
const PROCESSES = ['gateway', 'postgres', 'redis', 'nats']
const EDIT_EVERY_MS = 100
const CHANNEL = 'test-card'
const crashingChat = fileURLToPath(new URL('../support/crashing-chat', import.meta.url))

/** Kept after the end of the station, for its logs. */
let dataDir: string
let youtube: Awaited<ReturnType<typeof startFakeYoutube>>
let station: Station
let viewer: Viewer

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'looptide-one-process-'))
  youtube = await startFakeYoutube()
  station = await startTestStation({
    dataDir,
    fakeYoutube: youtube.url,
    env: { ...FAN_SETTINGS, LOOPTIDE_PROCESSES: 'one', YOUTUBE_CALLS_PER_SECOND: '1000' },
    services: stationServices.map((service) =>
      service.name === 'chat' ? { ...service, folder: crashingChat } : service,
    ),
  })
  viewer = await signUp(station.url)
}, 180_000)

afterAll(async () => {
  await station?.stop()
  await youtube?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function post(message: string): Promise<number> {
  const { status } = await clientOf(station.url, viewer.accessToken).send(
    'POST /api/chat/channels/:id/messages',
    { params: { id: CHANNEL }, body: { clientId: randomUUID(), message } },
  )
  return status
}

async function messages(): Promise<string[]> {
  const response = await fetch(`${station.url}/api/chat/channels/${CHANNEL}/messages`)
  return ((await response.json()) as ChatPage).items.map(({ message }: ChatMessage) => message)
}

async function programmes(): Promise<number> {
  const response = await fetch(`${station.url}/api/channels/${CHANNEL}/guide`)
  return ((await response.json()) as Guide).programmes.length
}

// First: the load compares all messages of the channel with its own.
describe('with all services in one process, users who chat, viewers, an active admin and an editor', () => {
  let load: Load
  let editor: WriteLoad
  const table = new FaultTable()

  beforeAll(async () => {
    load = await Load.start(station.url)
    const adminToken = await signIn(station.url, testAdmin.email, testAdmin.password)
    editor = new WriteLoad(station.url, adminToken, station.secrets.serviceKey)
  }, 180_000)

  afterAll(async () => {
    console.log(`\n${table}\n`)
    await editor?.stop()
    await load?.stop()
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

test('a station in one process signs users in, shows the guide and carries messages', async () => {
  expect(new Set(stationServices.map(({ name }) => station.pids[name])).size).toBe(1)
  await expect(signIn(station.url, viewer.email, viewer.password)).resolves.toBeTypeOf('string')
  await until('programmes are planned', async () => (await programmes()) > 0)
  expect(await post('before the crash')).toBe(201)
  expect(await messages()).toContain('before the crash')
})

test('it restarts chat after an uncaught error, while the other services keep serving', async () => {
  const pid = station.pids.chat
  await fetch(`${station.urls.chat}/crash`, { method: 'POST' })
  await expect(signIn(station.url, viewer.email, viewer.password)).resolves.toBeTypeOf('string')
  expect(await programmes()).toBeGreaterThan(0)
  await until('chat is restarted', () => station.logs('chat').includes('service restarted'))
  await until('messages are accepted again', async () => (await post('after the crash')) === 201)
  expect(await messages()).toEqual(expect.arrayContaining(['before the crash', 'after the crash']))
  expect(station.pids.chat).toBe(pid)
})

test('it stops on SIGTERM with every step done', async () => {
  const pid = station.pids.chat ?? Number.NaN
  const { length } = station.logs('chat')
  await station.stop()
  expect(identify(pid)).toBeUndefined()
  const log = station.logs('chat').slice(length)
  expect(log).toContain('process closing')
  expect(log).not.toContain('shutdown phase failed')
})
