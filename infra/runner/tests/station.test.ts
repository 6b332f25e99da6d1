import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withClient } from '@looptide/backing/database/set-up'
import { freePort } from '@looptide/backing/free-port'
import { STREAM_ADMIN } from '@looptide/backing/nats/nats-permissions'
import { STREAMS } from '@looptide/contracts/events'
import {
  connect,
  jetstream,
  jetstreamManager,
  permissionRefusals,
} from '@looptide/service-kit/events/nats-client'
import { until } from '@looptide/testkit/until'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { identify } from '../src/processes/process-identity.ts'
import { Station } from '../src/station/station.ts'
import type { StationOptions } from '../src/station/station-options.ts'
import { stubServices } from './stub-services.ts'

// A station has eleven processes, and the machine may be busy.

let dataDir: string
let stations: Station[] = []

async function openFolder(): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'looptide-station-'))
}

async function stopAll(): Promise<void> {
  await Promise.all(stations.map((station) => station.stop()))
  stations = []
  await rm(dataDir, { recursive: true, force: true })
}

async function start(options: Partial<StationOptions> = {}): Promise<Station> {
  const station = new Station({
    dataDir,
    ports: { gateway: await freePort(), mailWeb: await freePort() },
    services: stubServices,
    quiet: true,
    tether: true,
    ...options,
  })
  stations.push(station)
  await station.start()
  return station
}

const count = async (station: Station, table: string) => {
  const { rows } = await withClient(station.databaseUrl, (client) =>
    client.query(`SELECT count(*)::int AS n FROM ${table}`),
  )
  return rows[0].n as number
}
const allGone = (pids: Record<string, number>) =>
  Object.values(pids).every((pid) => identify(pid) === undefined)

/** One station for all tests of this part; each leaves it running. */
describe('a running station', () => {
  let station: Station

  beforeAll(async () => {
    await openFolder()
    station = await start({
      replicas: { chat: 2 },
      env: {
        YOUTUBE_API_KEY: 'key',
        DATABASE_POOL_SIZE: '9',
        RATE_LIMIT_FACTOR: '5',
        CHAT_RETENTION_DAYS: '30',
        SUBMISSION_EXEMPT_ROLES: 'moderator',
        FALLBACK_MAX_MINUTES: '20',
      },
    })
  })
  afterAll(stopAll)

  it('gives each service only its own settings', async () => {
    const envOf = async (name: keyof typeof station.urls) =>
      (await (await fetch(`${station.urls[name]}/env`)).json()) as Record<string, string>
    const [worker, chat, auth] = await Promise.all([envOf('metadata-worker'), envOf('chat'), envOf('auth')])
    expect(station.fleet.names).toContain('audience')
    const [catalogue, scheduler] = await Promise.all([envOf('catalogue'), envOf('stream-scheduler')])
    expect(worker.YOUTUBE_API_KEY).toBe('key')
    expect(worker.DATABASE_URL).toBeUndefined()
    expect(chat.YOUTUBE_API_KEY).toBeUndefined()
    expect(new URL(chat.DATABASE_URL!).username).toBe('looptide_chat')
    expect(new URL(chat.NATS_URL!).username).toBe('chat')
    const all = [chat, auth, catalogue, scheduler]
    expect(new Set(all.map((env) => new URL(env.DATABASE_URL!).password)).size).toBe(all.length)
    expect(new Set(all.map((env) => new URL(env.NATS_URL!).password)).size).toBe(all.length)
    expect(new Set(all.map((env) => env.EVENT_SIGNING_KEY!)).size).toBe(all.length)
    expect(auth.AUTH_KEY_SECRET).toBeDefined()
    for (const env of [worker, chat, catalogue, scheduler]) expect(env.AUTH_KEY_SECRET).toBeUndefined()
    for (const env of [chat, catalogue, scheduler]) expect(env.REDIS_URL).toBeUndefined()
    expect(chat.RATE_LIMIT_FACTOR).toBe('5')
    expect(chat.CHAT_RETENTION_DAYS).toBe('30')
    expect(catalogue.SUBMISSION_EXEMPT_ROLES).toBe('moderator')
    expect(scheduler.FALLBACK_MAX_MINUTES).toBe('20')
    expect(auth.SUBMISSION_EXEMPT_ROLES).toBeUndefined()
    expect(auth.SITE_URL).toBe(station.url)
    expect(auth.MAIL_CONFIRMATION).toBe('off')
  })

  it('lets a service publish only its own events', async () => {
    const url = new URL(station.natsUrlFor('chat'))
    const inboxPrefix = '_INBOX.chat'
    const nats = await connect({ servers: url.host, user: url.username, pass: url.password, inboxPrefix })
    const refusals: string[] = []
    void (async () => {
      for await (const { subject } of permissionRefusals(nats)) refusals.push(subject)
    })()
    const manager = await jetstreamManager(nats, { checkAPI: false, timeout: 30_000 })
    await jetstream(nats, { timeout: 30_000 }).publish('chat.message.posted.v1')
    nats.publish('admin.audit.recorded.v1')
    nats.publish('$JS.API.STREAM.PURGE.CHAT')
    for (const subject of ['admin.audit.recorded.v1', '$JS.API.STREAM.PURGE.CHAT'])
      await until('NATS refuses', () => refusals.includes(subject))
    expect((await manager.streams.info('CHAT')).state.messages).toBe(1)
    await nats.close()
  })

  it('protects its secrets', async () => {
    for (const file of ['secrets.json', 'nats/nats.conf', 'redis/redis.conf']) {
      expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600)
    }
    const secrets = [station.secrets.redis, station.secrets.postgresAdmin, station.secrets.internalToken]
    for (const pid of Object.values(station.pids)) {
      const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8')
      for (const secret of secrets) expect(commandLine).not.toContain(secret)
    }
    const wrong = new URL(station.databaseUrl)
    wrong.password = 'wrong'
    await expect(withClient(wrong.href, async () => {})).rejects.toThrow('password authentication failed')
  })

  it('reports that a station already runs on this data', async () => {
    await expect(start()).rejects.toThrow(/^The station is already running on .* \(process \d+\): /)
  })

  it('runs several processes of a service behind one address, and uses only those that are ready', async () => {
    expect(station.fleet.namesOf('chat')).toEqual(['chat', 'chat-2'])
    const ask = async () => {
      const response = await fetch(`${station.urls.chat}/env`, { headers: { connection: 'close' } })
      return ((await response.json()) as Record<string, string>).PORT
    }
    const portOf = (name: string) => new URL(station.fleet.urlOf(name)).port
    expect([await ask(), await ask()].sort()).toEqual([portOf('chat'), portOf('chat-2')].sort())
    await station.halt('chat')
    expect([await ask(), await ask()]).toEqual([portOf('chat-2'), portOf('chat-2')])
    await station.restart('chat')
    await until('the first is used again', async () => (await ask()) === portOf('chat'))
  })

  it('creates the event streams at its start, and again when NATS is back without its data', async () => {
    const url = new URL(station.natsUrlFor(STREAM_ADMIN))
    const nats = await connect({
      ...{ servers: url.host, user: url.username, pass: url.password },
      ...{ inboxPrefix: `_INBOX.${STREAM_ADMIN}`, maxReconnectAttempts: -1 },
    })
    const manager = await jetstreamManager(nats)
    const streams = async () => (await manager.streams.names().next()).sort()
    expect(await streams()).toEqual([...STREAMS].sort())
    await station.halt('nats')
    await rm(join(dataDir, 'nats/store'), { recursive: true })
    await station.restart('nats')
    await until('all are there again', async () => (await streams()).length === STREAMS.length)
    await until('the log of admins has its consumer', () =>
      manager.consumers.info('AUDIT', 'admin-audit--audit'),
    )
    await nats.close()
  })

  it('leaves a halted process down until it is restarted', async () => {
    await station.halt('redis')
    expect(station.pids.redis).toBeUndefined()
    await station.restart('redis')
    expect(station.pids.redis).toBeDefined()
  })

  it('restarts a process that dies: a service, Postgres, NATS, Redis', async () => {
    for (const name of ['chat', 'postgres', 'nats', 'redis']) {
      const before = station.pids[name]
      await station.kill(name, 'SIGKILL')
      await until(`${name} runs again`, () => station.isRunning(name), { timeoutMs: 20_000 })
      expect(station.pids[name]).not.toBe(before)
    }
    await until('Postgres answers', () => count(station, 'auth.admins'), { timeoutMs: 20_000 })
    await until('the service answers', async () => (await fetch(`${station.fleet.urlOf('chat')}/readyz`)).ok)
  })
})

describe('the start of a station', () => {
  beforeEach(openFolder)
  afterEach(stopAll)

  it('runs every process, without requests all but audience, and after stop() none is left', async () => {
    const station = await start({ env: { REQUESTS: 'off' } })
    const { pids } = station
    // audience does not run where requests are off.
    const names = stubServices.flatMap(({ name }) => (name === 'audience' ? [] : [name]))
    expect(Object.keys(pids).sort()).toEqual([...names, 'nats', 'postgres', 'redis'].sort())
    // The addresses that the runbook names.
    const { services } = JSON.parse(await readFile(join(dataDir, 'station.json'), 'utf8')) as {
      services: Record<string, string>
    }
    expect(Object.keys(services).sort()).toEqual(names.sort())
    for (const url of Object.values(services)) expect((await fetch(`${url}/readyz`)).status).toBe(200)
    // The first connection starts the mail catcher, and is served.
    expect((await fetch(`${station.mailUrl}/api/healthz`)).status).toBe(200)
    pids.maildev = station.pids.maildev!
    await station.stop()
    expect(allGone(pids)).toBe(true)
  })

  it('creates the admin and the demo once, and keeps the data over a restart', async () => {
    const first = await start()
    expect(first.admin).toMatchObject({ email: 'admin@looptide.local', isGenerated: true })
    await first.stop()
    const second = await start()
    expect(second.admin).toBeUndefined()
    expect(await count(second, 'auth.admins')).toBe(1)
    expect(await count(second, 'catalogue.starts')).toBe(1)
    expect(await count(second, 'scheduler.starts')).toBe(1)
  })

  it('names the log of a service that cannot start', async () => {
    const broken = stubServices.map((service) =>
      service.name === 'chat' ? { name: service.name, folder: join(dataDir, 'nowhere') } : service,
    )
    await expect(start({ services: broken })).rejects.toThrow(
      /^chat keeps ending .*logs\/chat\.log\)\.\n[\s\S]*ENOENT/,
    )
  })

  it('ends with a sentence when its Postgres was created with another secrets.json', async () => {
    const station = await start()
    await station.stop()
    await rm(join(dataDir, 'secrets.json'))
    await expect(start()).rejects.toThrow('was created with another secrets.json: put that one back')
  })

  it('cleans up after a killed runner, and touches nothing else', async () => {
    const runner = spawnRunner()
    const pids = await firstLine(runner)
    const bystander = spawn('sleep', ['60'], { stdio: 'ignore' })
    runner.kill('SIGKILL')
    await once(runner, 'exit')
    expect(identify(pids.postgres!)).toBeDefined()
    const station = await start()
    expect(allGone(pids)).toBe(true)
    expect(identify(bystander.pid!)).toBeDefined()
    expect(await count(station, 'auth.admins')).toBe(1)
    bystander.kill('SIGKILL')
  })
})

function spawnRunner(): ChildProcess {
  const program = fileURLToPath(new URL('./start-stubs.ts', import.meta.url))
  return spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function firstLine(runner: ChildProcess): Promise<Record<string, number>> {
  const [chunk] = (await Promise.race([
    once(runner.stdout!, 'data'),
    once(runner, 'exit').then(() => Promise.reject(new Error('the runner ended'))),
  ])) as [Buffer]
  return JSON.parse(chunk.toString()) as Record<string, number>
}
