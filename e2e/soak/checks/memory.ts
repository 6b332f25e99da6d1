import type { MemoryReport } from '../clock/simulated-clock.ts'
import type { FastStation } from '../fast-station.ts'

const MIB = 1_048_576
const HOURS_A_DAY = 24
/**
 * Number of warm-up samples, most of a real minute: code that runs for the first time is compiled,
 * pools fill. Growth during this time is not a leak.
 */
const WARM_UP = 8
/** Fewest samples after the warm-up from which a slope is computed. */
const ENOUGH = 8

interface Sample extends MemoryReport {
  hour: number
}

/** Memory samples of a process since its start. */
interface Life {
  name: string
  samples: Sample[]
}

/** Memory of a process in MiB; `slope` is the growth of its heap per simulated day. */
export interface MemoryFigures {
  name: string
  samples: number
  /** One number per sample. */
  heap: string
  slope: number | null
  lastRss: number
  mostRss: number
}

/** Samples the memory of every process of the station. A restarted process starts a new series. */
export class MemoryRecord {
  readonly #lives = new Map<number, Life>()

  /** Samples all running processes, one after another: a garbage collection pauses a process. */
  async sample(fast: FastStation, hour: number): Promise<void> {
    for (const name of fast.station.fleet.names) {
      const pid = fast.station.pids[name]
      const report = await fast.memoryOf(name)
      if (report === null || pid === undefined) continue
      const life = this.#lives.get(pid) ?? { name, samples: [] }
      this.#lives.set(pid, life)
      life.samples.push({ ...report, hour })
    }
  }

  figures(): MemoryFigures[] {
    return [...this.#lives.values()]
      .filter(({ samples }) => samples.length > 0)
      .map(({ name, samples }) => ({
        name,
        samples: samples.length,
        heap: samples.map(({ heapUsed }) => inMib(heapUsed).toFixed(1)).join(' '),
        slope:
          samples.length < WARM_UP + ENOUGH ? null : inMib(slopeOf(samples.slice(WARM_UP)) * HOURS_A_DAY),
        lastRss: inMib(samples.at(-1)?.rss),
        mostRss: inMib(Math.max(...samples.map(({ rss }) => rss))),
      }))
  }
}

const inMib = (bytes = Number.NaN): number => Number((bytes / MIB).toFixed(2))

/** Growth of the heap in bytes per simulated hour, by least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const hour = mean((sample) => sample.hour)
  const heap = mean((sample) => sample.heapUsed)
  const spread = mean((sample) => (sample.hour - hour) ** 2)
  return mean((sample) => (sample.hour - hour) * (sample.heapUsed - heap)) / spread
}
