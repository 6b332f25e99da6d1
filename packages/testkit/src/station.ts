import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreName } from '@looptide/runner/backing/start-backing'
import { freePort } from '@looptide/runner/ports/free-port'
import type { ReplicaCounts } from '@looptide/runner/processes/fleet'
import type { ServiceDefinition } from '@looptide/runner/processes/services'
import { type Station, startStation } from '@looptide/runner/station/station'
import { copyMigratedData } from './migrated-data.ts'

/** The first admin of every test station. */
export const testAdmin = { email: 'admin@example.test', password: 'test-admin-password' } as const

export type TestStation = Station

export interface TestStationOptions {
  /** The fake YouTube's address, instead of the real one's. */
  fakeYoutube?: string
  /** Further settings, as docs/configuration.md lists them. */
  env?: Record<string, string>
  /** More than one process of a service. */
  replicas?: ReplicaCounts
  /** Other programs in the place of our services, or the same ones run in another way. */
  services?: readonly ServiceDefinition[]
  /** Data folders of single stores, for tests that take their disk away. */
  storeFolders?: Partial<Record<StoreName, string>>
  /** Keep data from an earlier station; it is then not removed at the end. */
  dataDir?: string
}

/**
 * The whole station in a folder and on ports of its own, on the air when this resolves. It ends with the test
 * process, however that ends. Rate limits are as good as off; a test of the limits sets its own factor.
 * `TESTKIT_PROCESSES=one` runs all services in one process.
 */
export async function startTestStation(options: TestStationOptions = {}): Promise<TestStation> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'looptide-station-')))
  if (options.dataDir === undefined && options.storeFolders === undefined) await copyMigratedData(dataDir)
  const station = await startStation({
    dataDir,
    ports: { gateway: await freePort(), mailWeb: await freePort() },
    quiet: true,
    tether: true,
    ...(options.replicas === undefined ? {} : { replicas: options.replicas }),
    ...(options.services === undefined ? {} : { services: options.services }),
    ...(options.storeFolders === undefined ? {} : { storeFolders: options.storeFolders }),
    env: {
      LOOPTIDE_ADMIN_EMAIL: testAdmin.email,
      LOOPTIDE_ADMIN_PASSWORD: testAdmin.password,
      RATE_LIMIT_FACTOR: '1000',
      LOOPTIDE_PROCESSES: process.env.TESTKIT_PROCESSES ?? 'separate',
      ...(options.fakeYoutube === undefined ? {} : youtubeSettings(options.fakeYoutube)),
      ...options.env,
    },
  })
  if (options.dataDir === undefined) {
    station.onStopped(() => rm(dataDir, { recursive: true, force: true }))
  }
  return station
}

/** The fake plays its media in the page, where the real one has a frame for it. */
const youtubeSettings = (url: string) => ({ YOUTUBE_BASE_URL: url, MEDIA_ORIGINS: url })
