import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@looptide/backing/free-port'
import type { ReplicaCounts } from '@looptide/runner/processes/fleet'
import type { ServiceDefinition } from '@looptide/runner/processes/services'
import type { StoreName } from '@looptide/runner/station/start-backing'
import { type Station, startStation } from '@looptide/runner/station/station'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import { until } from '@looptide/testkit/until'
import { copyPreparedData } from './prepared-data.ts'

/** The first admin of every test station. */
export const testAdmin = { email: 'admin@example.test', password: 'test-admin-password' } as const

export type TestStation = Station

export interface TestStationOptions {
  /** URL of the fake YouTube, which replaces the real one. */
  fakeYoutube?: string
  /** Further settings, as docs/configuration.md lists them. */
  env?: Record<string, string>
  /** Services with more than one process. */
  replicas?: ReplicaCounts
  /** Commands that replace those of our services. */
  services?: readonly ServiceDefinition[]
  /** Data folders of single stores, for tests of disk failures. */
  storeFolders?: Partial<Record<StoreName, string>>
  /** Data folder, new or of an earlier station. It is not removed at the end. */
  dataDir?: string
  /** Whether the services share a process, unless `TESTKIT_PROCESSES` says so. Default: separate. */
  processes?: 'one' | 'separate'
}

/**
 * Starts a complete station with its own folder and ports, and resolves when it is on the air and every process reaches
 * its dependencies: until a service has loaded the access list, it answers 503 to everyone who is signed in. The station
 * ends with the test process, even after kill -9. Rate limits and those of new accounts are practically off; a test of the limits sets its own.
 * `TESTKIT_PROCESSES` chooses between one process for all services and separate ones (`one`, `separate`).
 */
export async function startTestStation(options: TestStationOptions = {}): Promise<TestStation> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'looptide-station-')))
  const hasOwnPostgres = options.storeFolders === undefined && options.env?.DATABASE_URL === undefined
  const isNew = hasOwnPostgres && !existsSync(join(dataDir, 'postgres'))
  const isMigrated = isNew && (await copyPreparedData(dataDir, testAdmin))
  const station = await startStation({
    dataDir,
    ports: { gateway: await freePort(), mailWeb: await freePort() },
    quiet: true,
    tether: true,
    isMigrated,
    ...(options.replicas === undefined ? {} : { replicas: options.replicas }),
    ...(options.services === undefined ? {} : { services: options.services }),
    ...(options.storeFolders === undefined ? {} : { storeFolders: options.storeFolders }),
    env: {
      LOOPTIDE_ADMIN_EMAIL: testAdmin.email,
      LOOPTIDE_ADMIN_PASSWORD: testAdmin.password,
      RATE_LIMIT_FACTOR: '1000',
      // Every account of a test is new.
      CHAT_LINKS_MIN_ACCOUNT_AGE_HOURS: '0',
      CHAT_NEW_ACCOUNT_SLOW_MODE_S: '0',
      LOOPTIDE_PROCESSES: process.env.TESTKIT_PROCESSES ?? options.processes ?? 'separate',
      ...(options.fakeYoutube === undefined ? {} : youtubeSettings(options.fakeYoutube)),
      ...options.env,
    },
  })
  if (options.dataDir === undefined) {
    station.onStopped(() => rm(dataDir, { recursive: true, force: true }))
  }
  await untilReady(station).catch(async (error: unknown) => {
    await station.stop()
    throw error
  })
  return station
}

/** The fake plays its media in the page, the real one in a frame. */
const youtubeSettings = (url: string) => ({ YOUTUBE_BASE_URL: url, MEDIA_ORIGINS: url })

interface Readiness {
  ready: boolean
  checks?: { name: string; ok: boolean; detail?: string }[]
}

/** Resolves when every process of a station reports that it is ready and reaches its dependencies. */
export async function untilReady({ fleet }: Station): Promise<void> {
  await until(
    'every process is ready',
    async () => {
      const wrong = await Promise.all(fleet.names.map((name) => whatIsWrong(name, fleet.urlOf(name))))
      if (wrong.flat().length > 0) throw new Error(wrong.flat().join('; '))
      return true
    },
    { timeoutMs: 90_000 },
  )
}

/** The failed readiness checks of a process. */
async function whatIsWrong(name: string, url: string): Promise<string[]> {
  const response = await internalFetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) })
  const { ready, checks = [] } = (await response.json()) as Readiness
  const missing = checks.flatMap((check) =>
    check.ok ? [] : [`${name} misses ${check.name}: ${check.detail}`],
  )
  return ready ? missing : [`${name} is not ready`, ...missing]
}
