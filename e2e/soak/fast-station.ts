import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@looptide/backing/free-port'
import { stationServices } from '@looptide/runner/processes/services'
import { type Station, startStation } from '@looptide/runner/station/station'
import { testAdmin } from '@looptide/test-station/station'
import type { Backing } from '@looptide/testkit/backing'
import { type FakeYoutube, startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { startOpenIdProvider } from '@looptide/testkit/openid-provider'
import { freshDatabase, startPostgres } from '@looptide/testkit/postgres'
import { until } from '@looptide/testkit/until'
import {
  clockVariables,
  type MemoryReport,
  type SimulatedClock,
  simulatedMs,
} from './clock/simulated-clock.ts'
import { simulateColumnDefaults, simulateDatabaseClock } from './clock/simulated-database.ts'

const preload = fileURLToPath(new URL('./clock/simulated-process.ts', import.meta.url))

/** Retention periods in days, short enough to end within the test. */
export const KEPT_DAYS = { chat: 3, airLog: 5 } as const

/** A station whose processes and database have an accelerated clock. */
export interface FastStation {
  station: Station
  postgres: Backing
  youtube: FakeYoutube
  /** Of the administrator's role. */
  databaseUrl: string
  clock: SimulatedClock
  /** The station's time (epoch ms). */
  now(): number
  /** Resolves when the station's clock reaches this instant (epoch ms). */
  reach(atMs: number): Promise<void>
  /** Memory of a process after a garbage collection; null while it is down. */
  memoryOf(name: string): Promise<MemoryReport | null>
  stop(): Promise<void>
}

/**
 * Starts real services with two schedulers, their own Postgres, NATS and Redis, and the fake YouTube. From now on,
 * `factor` simulated seconds pass per second.
 */
export async function startFastStation(factor: number): Promise<FastStation> {
  const folder = mkdtempSync(join(tmpdir(), 'looptide-soak-'))
  const reports = join(folder, 'memory')
  mkdirSync(reports)
  const [postgres, youtube, provider, gatewayPort] = await Promise.all([
    startPostgres(),
    startFakeYoutube(),
    startOpenIdProvider(),
    freePort(),
  ])
  const { issuer, clientId, clientSecret } = provider
  const database = await freshDatabase(postgres.url)
  const clock = { fromMs: Date.now(), factor }
  await simulateDatabaseClock(database.adminUrl, clock)
  const nodeArgs = simulationArgs(folder, clock, reports)
  const station = await startStation({
    dataDir: join(folder, 'data'),
    ports: { gateway: gatewayPort },
    quiet: true,
    tether: true,
    replicas: { 'stream-scheduler': 2 },
    services: stationServices.map((service) => ({
      ...service,
      nodeArgs: [...(service.nodeArgs ?? []), ...nodeArgs],
    })),
    env: {
      LOOPTIDE_ADMIN_EMAIL: testAdmin.email,
      LOOPTIDE_ADMIN_PASSWORD: testAdmin.password,
      DATABASE_URL: database.adminUrl,
      YOUTUBE_BASE_URL: youtube.url,
      YOUTUBE_API_KEY: 'test',
      OIDC_PROVIDERS: JSON.stringify([{ id: 'company', name: 'Company', issuer, clientId, clientSecret }]),
      // There is no mail server: mails stay in the outbox until they expire.
      SMTP_URL: 'smtp://127.0.0.1:9',
      ACCESS_TOKEN_TTL_S: '86400',
      CHAT_RETENTION_DAYS: String(KEPT_DAYS.chat),
      AIR_LOG_DAYS: String(KEPT_DAYS.airLog),
      RATE_LIMIT_FACTOR: '100000',
      // simulated-process.ts replaces a method of the services, which requires their sources instead of bundles.
      LOOPTIDE_BUNDLE: 'off',
    },
  })
  await simulateColumnDefaults(database.adminUrl)
  const now = () => simulatedMs(clock, Date.now())
  return {
    station,
    postgres,
    youtube,
    databaseUrl: database.adminUrl,
    clock,
    now,
    reach: (atMs) => new Promise((resolve) => setTimeout(resolve, Math.max(0, (atMs - now()) / factor))),
    memoryOf: (name) => memoryOf(station, reports, name),
    stop: async () => {
      await station.stop()
      await Promise.all([postgres.stop(), youtube.stop(), provider.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Arguments of Node that make a process run on the simulated clock and write memory reports. */
function simulationArgs(folder: string, clock: SimulatedClock, reports: string): string[] {
  const settings = join(folder, 'simulated.env')
  writeFileSync(
    settings,
    [
      `${clockVariables.fromMs}=${clock.fromMs}`,
      `${clockVariables.factor}=${clock.factor}`,
      `${clockVariables.reports}=${reports}`,
    ].join('\n'),
  )
  return ['--expose-gc', `--env-file=${settings}`, '--import', preload]
}

async function memoryOf(station: Station, reports: string, name: string): Promise<MemoryReport | null> {
  if (!(await station.isRunning(name))) return null
  const pid = station.pids[name]
  const path = join(reports, String(pid))
  rmSync(path, { force: true })
  await station.kill(name, 'SIGUSR2')
  return until(
    `${name} has written its memory report`,
    () => JSON.parse(readFileSync(path, 'utf8')) as MemoryReport,
  )
}
