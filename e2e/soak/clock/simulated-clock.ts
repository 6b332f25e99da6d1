/** A clock that runs faster than the world's from an instant on: the same in every process that is given the same. */
export interface SimulatedClock {
  /** When it begins to run fast (epoch ms, real and simulated). */
  fromMs: number
  /** Simulated milliseconds in a real one. */
  factor: number
}

/** What time it is by `clock` when it really is `realMs` (both epoch ms). */
export const simulatedMs = ({ fromMs, factor }: SimulatedClock, realMs: number): number =>
  realMs <= fromMs ? realMs : Math.round(fromMs + (realMs - fromMs) * factor)

/** Environment variables that set a process's clock: see `simulated-process.ts`. */
export const clockVariables = {
  fromMs: 'SIMULATED_FROM_MS',
  factor: 'SIMULATED_FACTOR',
  reports: 'SIMULATED_REPORTS',
} as const

/** What a process says of its memory, after a forced collection, in bytes. */
export interface MemoryReport {
  heapUsed: number
  external: number
  rss: number
}
