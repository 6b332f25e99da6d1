/**
 * Preloaded into a process (`node --import`): accelerates its clocks and all timers of a minute or more, which depend
 * on the calendar (retention, housekeeping). Shorter ones (time limits, heartbeats) keep real time. On SIGUSR2 it
 * collects garbage and writes the memory in use to a file named after the process.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StationClock } from '../../../packages/service-kit/src/time/station-clock.ts'
import { clockVariables, type MemoryReport, simulatedMs } from './simulated-clock.ts'

const CALENDAR_FROM_MS = 60_000
/** Shortest interval of an accelerated timer, in real ms. */
const SHORTEST_MS = 1000

const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}
const clock = {
  fromMs: Number(setting(clockVariables.fromMs)),
  factor: Number(setting(clockVariables.factor)),
}
const reports = setting(clockVariables.reports)

const RealDate = Date
const realCount = performance.now.bind(performance)
// Both clocks have one source: the station detects a wall clock that jumps against the monotonic clock.
const nowMs = (): number => simulatedMs(clock, performance.timeOrigin + realCount())
performance.now = () => realCount() * clock.factor
// The database's `clock_timestamp()` stays real, for leases. It is not used as wall clock.
StationClock.prototype.adjust = () => 0

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: [], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [nowMs()] : args, newTarget),
  apply: () => new RealDate(nowMs()).toString(),
  get: (target, key) => (key === 'now' ? nowMs : Reflect.get(target, key)),
})

const real = (ms: number | undefined): number | undefined =>
  ms === undefined || ms < CALENDAR_FROM_MS ? ms : Math.max(SHORTEST_MS, ms / clock.factor)

type Timer = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => NodeJS.Timeout
type PromisedTimer = (ms?: number, ...rest: unknown[]) => unknown

function slowed(timer: Timer): Timer {
  const calendar: Timer = (callback, ms, ...args) => timer(callback, real(ms), ...args)
  return Object.assign(calendar, { [promisify.custom]: Reflect.get(timer, promisify.custom) })
}

const require = createRequire(import.meta.url)
const timers = require('node:timers') as Record<'setTimeout' | 'setInterval', Timer>
const promised = require('node:timers/promises') as Record<'setTimeout' | 'setInterval', PromisedTimer>
for (const name of ['setTimeout', 'setInterval'] as const) {
  const { [name]: plain } = promised
  promised[name] = (ms, ...rest) => plain(real(ms), ...rest)
  timers[name] = slowed(timers[name])
  Object.assign(globalThis, { [name]: timers[name] })
}
syncBuiltinESMExports()

process.on('SIGUSR2', () => {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const path = join(reports, String(process.pid))
  const report: MemoryReport = { heapUsed, external, rss }
  writeFileSync(`${path}.part`, JSON.stringify(report))
  renameSync(`${path}.part`, path)
})
