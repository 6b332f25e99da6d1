import { expect } from 'vitest'
import type { Load } from './load.ts'
import { LOST } from './tally.ts'

export type FaultOptions = {
  /** What is done to the station, and undone unless the station is to recover by itself. */
  strike: () => Promise<void>
  /** What else must be true before all is well. */
  isWell?: () => Promise<void>
  /** What somebody may be told beside that it cannot be done just now. */
  tolerated?: readonly string[]
}

type Row = {
  fault: string
  viewer: string
  chatter: string
  admin: string
  lost: string
  wellAfterS: string
}

/** What may come instead of a good answer: the code for "try again", or a connection that broke with what held it. */
const HONEST = ['503 service_unavailable', LOST]

/** A table with a row for each fault: what everybody saw, what was lost, how long until it was well. */
export class FaultTable {
  readonly #rows: Row[] = []

  /**
   * Lets a fault happen under load and measures. Nobody may be left hanging or be told anything but that it cannot be
   * done just now, and nothing that was acknowledged may be lost.
   */
  async measure(load: Load, fault: string, options: FaultOptions): Promise<void> {
    const { strike, isWell = async () => undefined, tolerated = [] } = options
    await load.begin()
    await strike()
    const mendedAtMs = performance.now()
    await isWell()
    await load.untilWell()
    const wellAfterS = ((performance.now() - mendedAtMs) / 1000).toFixed(1)
    const { lost, of } = await load.lost()
    this.#rows.push({ fault, ...load.seen(), lost: `${lost} of ${of}`, wellAfterS })
    expect(load.refusals.filter((what) => ![...HONEST, ...tolerated].includes(what))).toEqual([])
    expect(load.nonsense).toEqual([])
    expect(lost).toBe(0)
  }

  /** As Markdown. */
  toString(): string {
    const head = ['fault', 'a viewer', 'a chatter', 'an admin', 'acknowledged and lost', 'well after (s)']
    const rows = this.#rows.map((row) => Object.values(row))
    const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
    return lines.join('\n')
  }
}

/** Lets a fault last. */
export const hold = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
