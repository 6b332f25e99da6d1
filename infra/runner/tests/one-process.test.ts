import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@looptide/backing/free-port'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { identify } from '../src/processes/process-identity.ts'
import { Station } from '../src/station/station.ts'
import { stubServices } from './stub-services.ts'

// Stores and one process with all services, on a machine that may be busy.

let dataDir: string
let station: Station

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'looptide-station-'))
  station = new Station({
    dataDir,
    ports: { gateway: await freePort(), mailWeb: await freePort() },
    env: { LOOPTIDE_PROCESSES: 'one', CHAT_RETENTION_DAYS: '30', YOUTUBE_API_KEY: 'key' },
    services: stubServices,
    quiet: true,
    tether: true,
  })
  await station.start()
})

afterAll(async () => {
  await station.stop()
  await rm(dataDir, { recursive: true, force: true })
})

type Name = keyof Station['urls']

const envOf = async (name: Name) =>
  (await (await fetch(`${station.urls[name]}/env`)).json()) as Record<string, string>
const isUp = async (name: Name) =>
  (await fetch(`${station.urls[name]}/readyz`).catch(() => undefined))?.ok === true
const restartsOf = (name: Name) =>
  station
    .logs(name)
    .split('\n')
    .filter((line) => line.includes('service restarted') && line.includes(`"part":"${name}"`)).length

it('runs every service in one process, each with its own settings', async () => {
  const { nats, postgres, redis, ...services } = station.pids
  expect(Object.keys(services).sort()).toEqual(stubServices.map(({ name }) => name).sort())
  expect(new Set(Object.values(services)).size).toBe(1)
  const [chat, worker, auth] = await Promise.all([envOf('chat'), envOf('metadata-worker'), envOf('auth')])
  expect(new URL(chat.DATABASE_URL!).username).toBe('looptide_chat')
  expect(new URL(auth.DATABASE_URL!).username).toBe('looptide_auth')
  expect(new URL(chat.NATS_URL!).username).toBe('chat')
  expect(chat.CHAT_RETENTION_DAYS).toBe('30')
  expect([chat.YOUTUBE_API_KEY, worker.YOUTUBE_API_KEY]).toEqual([undefined, 'key'])
  expect([chat.AUTH_KEY_SECRET, typeof auth.AUTH_KEY_SECRET]).toEqual([undefined, 'string'])
})

it.each(['throw', 'reject'])('restarts only the service that has an uncaught error (%s)', async (how) => {
  const pid = station.pids.chat
  const before = restartsOf('chat')
  await fetch(`${station.urls.chat}/${how}`, { method: 'POST' })
  await until('chat is restarted', () => restartsOf('chat') === before + 1)
  expect(await isUp('chat')).toBe(true)
  expect(station.pids.chat).toBe(pid)
  expect(restartsOf('auth')).toBe(0)
})

it('stops one service and starts it again, while the others serve', async () => {
  await station.halt('catalogue')
  expect(await station.isRunning('catalogue')).toBe(false)
  expect(await isUp('catalogue')).toBe(false)
  expect(await isUp('auth')).toBe(true)
  await station.restart('catalogue')
  expect(await station.isRunning('catalogue')).toBe(true)
})

it('ends and starts again as a whole when a service crashes each time it is restarted', async () => {
  const pid = station.pids.chat
  await until(
    'the process is replaced',
    async () => {
      await fetch(`${station.urls.chat}/throw`, { method: 'POST' }).catch(() => undefined)
      return station.pids.chat !== undefined && station.pids.chat !== pid
    },
    { timeoutMs: 60_000 },
  )
  await until('all services are back', () => station.isRunning('gateway'), { timeoutMs: 60_000 })
})

it('leaves no process after stop, and its log names no failed step', async () => {
  await until('all services are back', () => station.isRunning('gateway'), { timeoutMs: 60_000 })
  const { pids } = station
  await station.stop()
  expect(Object.values(pids).map((pid) => identify(pid))).toEqual(Object.values(pids).map(() => undefined))
  expect(station.logs('chat')).not.toContain('shutdown phase failed')
})
