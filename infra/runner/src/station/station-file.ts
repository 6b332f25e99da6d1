import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceUrls } from '../processes/services.ts'

/** Addresses of the running station of a data folder, read by the operator command. */
export interface StationFile {
  url: string
  /** The administrator's URL of the station's database. */
  databaseUrl: string
  /** Without a user: each service has its own (see the secrets). */
  natsUrl: string
  /** The internal URL of each service, for `/readyz` and `/metrics`. */
  services: ServiceUrls
}

const pathIn = (dataDir: string): string => join(dataDir, 'station.json')

/** Readable by its owner only: the database URL contains its password. */
export function writeStationFile(dataDir: string, file: StationFile): void {
  const path = pathIn(dataDir)
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, path)
}

/** Removes the file; nothing happens if there is none. */
export function removeStationFile(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true })
}

/** Undefined when no station runs there. After a station was killed: its last addresses. */
export function readStationFile(dataDir: string): StationFile | undefined {
  try {
    return JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as StationFile
  } catch {
    return undefined
  }
}
