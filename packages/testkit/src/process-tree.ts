import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Sends a signal to a process and all its descendants. (Postgres has one process per connection.) `pidtree` is asynchronous:
 * the process could start children meanwhile.
 */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  // The root first, so that it starts no more children.
  process.kill(pid, signal)
  for (const child of descendantsOf(pid)) trySignal(child, signal)
}

/** Kills a process and its descendants. They are stopped first: orphaned children could no longer be found. */
export function killTree(pid: number): void {
  signalTree(pid, 'SIGSTOP')
  const children = descendantsOf(pid)
  for (const one of [pid, ...children]) trySignal(one, 'SIGKILL')
}

function descendantsOf(pid: number): number[] {
  const children = Map.groupBy(processes(), ({ parent }) => parent)
  const reached = [pid]
  for (const one of reached) reached.push(...(children.get(one) ?? []).map((child) => child.pid))
  return reached.slice(1)
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const hasEnded = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!hasEnded) throw error
  }
}

function processes(): { pid: number; parent: number }[] {
  return process.platform === 'linux' ? linuxProcesses() : otherProcesses()
}

function linuxProcesses(): { pid: number; parent: number }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The program's name is in brackets and may contain spaces: fields are counted after it (proc(5), field 4).
      const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
      return [{ pid: Number(pid), parent: Number(parent) }]
    } catch {
      return []
    }
  })
}

function otherProcesses(): { pid: number; parent: number }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
    return { pid, parent }
  })
}
