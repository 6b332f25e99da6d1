import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { identify, isSame, type ProcessIdentity } from '../processes/process-identity.ts'

/** Result of {@link takeLock}: the lock, or its holder; `holder` is undefined while another process is taking it. */
export type LockResult = { release: () => void } | { holder: ProcessIdentity | undefined }

/**
 * Takes a lock: a file that names the process holding it. A lock left by a dead process is replaced. The folder must
 * exist. Not `proper-lockfile`, which detects a dead holder by time.
 */
export function takeLock(path: string): LockResult {
  const own = `${path}.${process.pid}`
  writeFileSync(own, JSON.stringify(identify(process.pid)))
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      if (tryLink(own, path)) return { release: () => release(path) }
      const holder = readHolder(path)
      if (holder !== undefined && isSame(holder)) return { holder }
      breakStaleLock(path)
    }
    return { holder: undefined }
  } finally {
    rmSync(own, { force: true })
  }
}

/** Creating a link is atomic, unlike a check followed by a write: it fails if the name exists. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function breakStaleLock(path: string): void {
  const aside = `${path}.stale-${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  // Another process may have taken the lock between the check and the move: it keeps it.
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
