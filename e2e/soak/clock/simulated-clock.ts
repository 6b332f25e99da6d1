/** A clock that runs faster than real time from an instant on. All processes with the same values agree. */
export interface SimulatedClock {
  /** Start of the acceleration (epoch ms, real and simulated). */
  fromMs: number
  /** Simulated ms per real ms. */
  factor: number
}

/** Converts real time to the time of `clock` (both epoch ms). */
export const simulatedMs = ({ fromMs, factor }: SimulatedClock, realMs: number): number =>
  realMs <= fromMs ? realMs : Math.round(fromMs + (realMs - fromMs) * factor)

/** Environment variables that set a process's clock: see `simulated-process.ts`. */
export const clockVariables = {
  fromMs: 'SIMULATED_FROM_MS',
  factor: 'SIMULATED_FACTOR',
  reports: 'SIMULATED_REPORTS',
} as const

/** Memory of a process after a forced garbage collection, in bytes. */
export interface MemoryReport {
  heapUsed: number
  external: number
  rss: number
}
