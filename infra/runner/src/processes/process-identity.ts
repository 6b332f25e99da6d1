import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process, distinguishable from a later one with the same pid. */
export interface ProcessIdentity {
  pid: number
  started: string
}

/**
 * The process that has `pid` now.
 *
 * @returns undefined when there is none, or only a zombie
 */
export function identify(pid: number): ProcessIdentity | undefined {
  const started = process.platform === 'linux' ? startedOnLinux(pid) : startedElsewhere(pid)
  return started === undefined ? undefined : { pid, started }
}

/** Whether the recorded process still runs. */
export function isSame(recorded: ProcessIdentity): boolean {
  return identify(recorded.pid)?.started === recorded.started
}

/** Clock ticks since boot, made unique across boots by the kernel's boot id. */
function startedOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name is in brackets and may contain spaces: count after it (proc(5), fields 3 and 22).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}:${fields[19]}`
  } catch {
    return undefined
  }
}

function startedElsewhere(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '')
  } catch {
    return undefined
  }
}
