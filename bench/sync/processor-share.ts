import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Hundredths of a second that processors have worked for something so far. */
interface Worked {
  browsers: number
  station: number
  /** All processors together, idle or not. */
  passed: number
  idle: number
}

/** Shares of all processors of the machine, in percent. */
export interface ProcessorShare {
  browsersPercent: number
  stationPercent: number
  machinePercent: number
}

/** What this process's descendants use of the machine from now on, by /proc; null where there is none. */
export function measureProcessors(): () => ProcessorShare | null {
  if (!existsSync('/proc/stat')) return () => null
  const before = worked()
  return () => {
    const after = worked()
    const passed = after.passed - before.passed
    const percent = (ticks: number) => (ticks / passed) * 100
    return {
      browsersPercent: percent(after.browsers - before.browsers),
      stationPercent: percent(after.station - before.station),
      machinePercent: 100 - percent(after.idle - before.idle),
    }
  }
}

function worked(): Worked {
  const processes = new Map<number, { parent: number; isBrowser: boolean; ticks: number }>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // proc(5): the name stands in brackets and may hold anything.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      processes.set(Number(pid), {
        parent: Number(fields[1]),
        isBrowser: /\((?:chrom|headless_shell)/.test(stat),
        ticks: Number(fields[11]) + Number(fields[12]),
      })
    } catch {
      // It has ended since the folder was listed.
    }
  }
  const isOurs = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent
    return parent === process.pid || (parent !== undefined && parent > 1 && isOurs(parent))
  }
  const sums = { browsers: 0, station: 0 }
  for (const [pid, { isBrowser, ticks }] of processes) {
    if (isOurs(pid)) sums[isBrowser ? 'browsers' : 'station'] += ticks
  }
  const all = readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/\s+/).slice(1, 9).map(Number) ?? []
  return { ...sums, passed: all.reduce((sum, ticks) => sum + ticks, 0), idle: (all[3] ?? 0) + (all[4] ?? 0) }
}
