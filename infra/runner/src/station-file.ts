import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the running station of a data folder is found: the operator's commands read it. */
export type StationFile = {
  url: string
  /** The administrator's address of the station's database. */
  databaseUrl: string
  /** Without a user: each service has its own, see the secrets. */
  natsUrl: string
}

const pathIn = (dataDir: string): string => join(dataDir, 'station.json')

/** Readable by its owner alone: the database's address holds its password. */
export function writeStationFile(dataDir: string, file: StationFile): void {
  const path = pathIn(dataDir)
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, path)
}

export function removeStationFile(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true })
}

/** Undefined when no station runs there; after a station was killed, where it was. */
export function readStationFile(dataDir: string): StationFile | undefined {
  try {
    return JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as StationFile
  } catch {
    return undefined
  }
}
