import { expect } from 'vitest'
import type { Load } from './load.ts'
import { LOST } from './tally.ts'

export interface FaultOptions {
  /** Causes the fault, and repairs it unless the station has to recover by itself. */
  strike: () => Promise<void>
  /** Further conditions of recovery. */
  isWell?: () => Promise<void>
  /** Error codes that are accepted besides `service_unavailable`. */
  tolerated?: readonly string[]
  /** What the station's logs say about unexpected errors; shown if there were some. */
  explain?: () => string
}

interface Row {
  fault: string
  viewer: string
  chatter: string
  fan: string
  admin: string
  lost: string
  wellAfterS: string
}

/** Accepted failures: the code for "try again", or a connection that broke together with the process it led to. */
const HONEST = ['503 service_unavailable', LOST]

/** A table with a row per fault: what viewers, chatters, fans and admins noticed, what was lost, and the recovery time. */
export class FaultTable {
  readonly #rows: Row[] = []

  /**
   * Causes a fault under load and measures its effect. Every request must be answered, with a result or with
   * `service_unavailable`, and no acknowledged write may be lost.
   */
  async measure(load: Load, fault: string, options: FaultOptions): Promise<void> {
    const { strike, isWell = async () => undefined, tolerated = [], explain = () => '' } = options
    await load.begin()
    await strike()
    const repairedAtMs = performance.now()
    await isWell()
    await load.untilWell()
    const wellAfterS = ((performance.now() - repairedAtMs) / 1000).toFixed(1)
    const { lost, of } = await load.lost()
    this.#rows.push({ fault, ...load.seen(), lost: `${lost} of ${of}`, wellAfterS })
    const unexpected = load.refusals.filter((what) => ![...HONEST, ...tolerated].includes(what))
    expect(unexpected, unexpected.length > 0 ? explain() : '').toEqual([])
    expect(load.nonsense).toEqual([])
    expect(lost).toBe(0)
  }

  /** As Markdown. */
  toString(): string {
    const head = [
      'fault',
      'a viewer',
      'a chatter',
      'likes and votes',
      'an admin',
      'acknowledged and lost',
      'recovered after (s)',
    ]
    const rows = this.#rows.map((row) => Object.values(row))
    const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
    return lines.join('\n')
  }
}

/** Waits while the fault lasts. */
export const hold = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
