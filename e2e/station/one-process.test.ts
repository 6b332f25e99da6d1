import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Guide } from '@looptide/contracts/http/channels'
import type { ChatMessage, ChatPage } from '@looptide/contracts/http/chat'
import { identify } from '@looptide/runner/processes/process-identity'
import { stationServices } from '@looptide/runner/processes/services'
import { startTestStation, type TestStation } from '@looptide/testkit/station'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn, signUp, type Viewer } from '../support/people.ts'

const CHANNEL = 'test-card'
const crashingChat = fileURLToPath(new URL('../support/crashing-chat', import.meta.url))

let dataDir: string
let station: TestStation
let viewer: Viewer

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'looptide-one-process-'))
  station = await startTestStation({
    dataDir,
    env: { LOOPTIDE_PROCESSES: 'one' },
    services: stationServices.map((service) =>
      service.name === 'chat' ? { ...service, folder: crashingChat } : service,
    ),
  })
  viewer = await signUp(station.url)
}, 180_000)
afterAll(async () => {
  await station?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function post(message: string): Promise<number> {
  const { status } = await fetch(`${station.url}/api/chat/channels/${CHANNEL}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${viewer.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ clientId: randomUUID(), message }),
  })
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

it('signs users in, shows the guide and carries messages', async () => {
  expect(new Set(stationServices.map(({ name }) => station.pids[name])).size).toBe(1)
  await expect(signIn(station.url, viewer.email, viewer.password)).resolves.toBeTypeOf('string')
  await until('programmes are planned', async () => (await programmes()) > 0)
  expect(await post('before the crash')).toBe(201)
  expect(await messages()).toContain('before the crash')
})

it('restarts chat after an uncaught error, while the other services keep serving', async () => {
  const pid = station.pids.chat
  await fetch(`${station.urls.chat}/crash`, { method: 'POST' })
  await expect(signIn(station.url, viewer.email, viewer.password)).resolves.toBeTypeOf('string')
  expect(await programmes()).toBeGreaterThan(0)
  await until('chat is restarted', () => station.logs('chat').includes('service restarted'))
  await until('messages are accepted again', async () => (await post('after the crash')) === 201)
  expect(await messages()).toEqual(expect.arrayContaining(['before the crash', 'after the crash']))
  expect(station.pids.chat).toBe(pid)
})

it('stops on SIGTERM with every step done', async () => {
  const pid = station.pids.chat ?? Number.NaN
  await station.stop()
  expect(identify(pid)).toBeUndefined()
  const log = station.logs('chat')
  expect(log).toContain('process closing')
  expect(log).not.toContain('shutdown phase failed')
})
