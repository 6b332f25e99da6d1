import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from './failure.ts'
import { identify, isSame, type ProcessIdentity } from './process-identity.ts'

/**
 * One station per data folder. The lock names the process that holds it, so that a lock left by a killed one
 * is known for what it is.
 *
 * @returns gives the lock back
 * @throws Failure when a station runs on this data
 */
export function lockData(dataDir: string): () => void {
  const path = join(dataDir, 'station.lock')
  const own = `${path}.${process.pid}`
  writeFileSync(own, JSON.stringify(identify(process.pid)))
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      if (tryLink(own, path)) return () => release(path)
      breakStaleLock(path, dataDir)
    }
    throw new Failure(`Another start on ${dataDir} is under way: wait for it to finish.`)
  } finally {
    rmSync(own, { force: true })
  }
}

/** A link either is made or fails because the name is there: nothing in between, unlike write after check. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function breakStaleLock(path: string, dataDir: string): void {
  const holder = readHolder(path)
  if (holder !== undefined && isSame(holder)) {
    throw new Failure(
      `The station is already running on ${dataDir} (process ${holder.pid}): use that one, stop it with Ctrl-C, or set LOOPTIDE_DATA to another folder.`,
    )
  }
  const aside = `${path}.stale-${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  // Between the look and the move somebody else may have taken the lock: then it is theirs.
  const moved = readHolder(aside)
  if (moved !== undefined && isSame(moved)) tryLink(aside, path)
  rmSync(aside, { force: true })
}

function release(path: string): void {
  if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true })
}

function readHolder(path: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity
  } catch {
    return undefined
  }
}
