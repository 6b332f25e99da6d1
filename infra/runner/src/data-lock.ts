import { join } from 'node:path'
import { Failure } from './failure.ts'
import { takeLock } from './file-lock.ts'

/**
 * One station per data folder.
 *
 * @returns gives the lock back
 * @throws Failure when a station runs on this data
 */
export function lockData(dataDir: string): () => void {
  const result = takeLock(join(dataDir, 'station.lock'))
  if ('release' in result) return result.release
  if (result.holder === undefined)
    throw new Failure(`Another start on ${dataDir} is under way: wait for it to finish.`)
  throw new Failure(
    `The station is already running on ${dataDir} (process ${result.holder.pid}): use that one, stop it with Ctrl-C, or set LOOPTIDE_DATA to another folder.`,
  )
}
