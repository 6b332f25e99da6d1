import { join } from 'node:path'
import { Failure } from '@looptide/backing/failure'
import { takeLock } from './file-lock.ts'

/**
 * Allows one station per data folder.
 *
 * @returns releases the lock
 * @throws Failure when a station runs on this data
 */
export function lockData(dataDir: string): () => void {
  const result = takeLock(join(dataDir, 'station.lock'))
  if ('release' in result) return result.release
  if (result.holder === undefined)
    throw new Failure(`A station is already starting on ${dataDir}: wait for it to finish.`)
  throw new Failure(
    `The station is already running on ${dataDir} (process ${result.holder.pid}): use that one, stop it with Ctrl-C, or set LOOPTIDE_DATA to another folder.`,
  )
}
