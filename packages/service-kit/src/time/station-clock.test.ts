import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StationClock } from './station-clock.ts'

const HOUR_MS = 3_600_000
const START_MS = 1_780_000_000_000

/** A machine whose wall clock and monotonic clock the test sets. */
class Machine {
  wall = START_MS
  monotonic = 5000
  readonly wallMs = () => this.wall
  readonly monotonicMs = () => this.monotonic

  pass(ms: number): void {
    this.wall += ms
    this.monotonic += ms
  }
}

describe('the station’s clock', () => {
  it('follows the machine’s clock while NTP slews it', () => {
    const machine = new Machine()
    const clock = new StationClock(machine)
    for (let minute = 0; minute < 100; minute += 1) {
      machine.pass(60_000)
      machine.wall += 30
      expect(clock.now()).toBe(machine.wall)
    }
  })

  it('ignores a step of the machine’s clock and continues', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -10 * HOUR_MS, max: 10 * HOUR_MS }), { maxLength: 8 }),
        (steps) => {
          const machine = new Machine()
          const clock = new StationClock(machine)
          let trueMs = START_MS
          for (const step of steps.filter((ms) => Math.abs(ms) > 1000)) {
            machine.wall += step
            expect(clock.now()).toBe(trueMs)
            machine.pass(700)
            trueMs += 700
            expect(clock.now()).toBe(trueMs)
          }
        },
      ),
    )
  })

  it.each([HOUR_MS, -HOUR_MS])(
    'is corrected by the reference after it started with an error of %i ms',
    (offMs) => {
      const machine = new Machine()
      machine.wall += offMs
      const clock = new StationClock(machine)
      const askedAtMs = clock.now()
      machine.pass(20)
      expect(Math.abs(clock.adjust(START_MS + 10, askedAtMs))).toBeGreaterThan(HOUR_MS - 100)
      expect(Math.abs(clock.now() - (START_MS + 20))).toBeLessThanOrEqual(20)
    },
  )

  it('is corrected by the reference after the machine was suspended, which stops the monotonic clock', () => {
    const machine = new Machine()
    const clock = new StationClock(machine)
    machine.wall += HOUR_MS
    const askedAtMs = clock.now()
    expect(clock.adjust(START_MS + HOUR_MS, askedAtMs)).toBe(HOUR_MS)
    expect(clock.now()).toBe(START_MS + HOUR_MS)
  })

  it('is not corrected if a slow response of the reference may have had the same time', () => {
    const machine = new Machine()
    const clock = new StationClock(machine)
    const askedAtMs = clock.now()
    machine.pass(9000)
    expect(clock.adjust(START_MS + 100, askedAtMs)).toBe(0)
    expect(clock.adjust(START_MS + 8900, askedAtMs)).toBe(0)
    expect(clock.adjust(START_MS + 9900, askedAtMs)).toBe(0)
    expect(clock.now()).toBe(machine.wall)
  })
})
