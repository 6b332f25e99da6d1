import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Processor time so far, in hundredths of a second. */
interface Worked {
  browsers: number
  station: number
  /** All processors together, including idle time. */
  passed: number
  idle: number
}

/** Shares of all processors, in percent. */
export interface ProcessorShare {
  browsersPercent: number
  stationPercent: number
  machinePercent: number
}

/** Starts measuring the processor share of this process's descendants, from /proc; null without /proc. */
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
      // proc(5): the name is in brackets and may contain anything.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      processes.set(Number(pid), {
        parent: Number(fields[1]),
        isBrowser: /\((?:chrom|headless_shell)/.test(stat),
        ticks: Number(fields[11]) + Number(fields[12]),
      })
    } catch {
      // The process ended after the folder was listed.
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
