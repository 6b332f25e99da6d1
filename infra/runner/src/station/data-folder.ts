import { chmodSync, existsSync, mkdirSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '@looptide/backing/failure'

/** Free space that a new station needs for databases and logs, and an existing one to continue, in MB. */
const NEW_STATION_MB = 500
const EXISTING_STATION_MB = 100
const BYTES_PER_MB = 1e6

/**
 * Creates the data folder if it is missing.
 *
 * @throws Failure when it cannot be written, or too little space is free: a store would fail later, with less to say
 */
export function prepareDataFolder(dataDir: string): void {
  try {
    createFolder(join(dataDir, 'logs'))
    // Postgres's account must reach its folder below; other accounts may not list this one.
    chmodSync(dataDir, 0o711)
  } catch (error) {
    // Below /proc, and on a read-only disk, the system reports that the parent does not exist.
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw isMissing ? notWritable(dataDir, error) : (diskFailure(error, dataDir) ?? error)
  }
  const { bavail, bsize } = statfsSync(dataDir)
  const free = Math.floor((bavail * bsize) / BYTES_PER_MB)
  const isNew = !existsSync(join(dataDir, 'secrets.json'))
  const needed = isNew ? NEW_STATION_MB : EXISTING_STATION_MB
  if (free < needed)
    throw new Failure(
      `${isNew ? 'A new' : 'The'} station needs ${needed} MB in ${dataDir}, but only ${free} MB are free: free some space, or set LOOPTIDE_DATA to another folder.`,
    )
}

/**
 * Creates a folder and its missing parents. Node's own recursion never ends where a folder cannot be created although its
 * parent exists, as below /proc.
 *
 * @throws the error of the file system
 */
function createFolder(path: string): void {
  const parent = dirname(path)
  if (!existsSync(parent)) createFolder(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    if (!existsSync(path)) throw error
  }
}

/** A sentence for an error of the file system that the operator can repair; undefined for any other error. */
export function diskFailure(error: unknown, dataDir: string): Failure | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    return new Failure(`The disk of ${dataDir} is full: free some space, then try again.`, { cause: error })
  if (error.code === 'EROFS' || error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'ENOTDIR')
    return notWritable(dataDir, error)
  return undefined
}

const notWritable = (dataDir: string, cause: Error): Failure =>
  new Failure(`${dataDir} cannot be written: set LOOPTIDE_DATA to a folder that belongs to you.`, { cause })
