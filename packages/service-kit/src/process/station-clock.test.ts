import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StationClock } from './station-clock.ts'

const HOUR_MS = 3_600_000
const START_MS = 1_780_000_000_000

/** A machine whose two clocks are moved by hand. */
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
  it('is the machine’s clock, also where that is slewed', () => {
    const machine = new Machine()
    const clock = new StationClock(machine)
    for (let minute = 0; minute < 100; minute += 1) {
      machine.pass(60_000)
      machine.wall += 30
      expect(clock.now()).toBe(machine.wall)
    }
  })

  it('does not follow a step of the machine’s clock, and ticks on', () => {
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

  it.each([HOUR_MS, -HOUR_MS])('that began %i ms off is put right by the reference', (offMs) => {
    const machine = new Machine()
    machine.wall += offMs
    const clock = new StationClock(machine)
    const askedAtMs = clock.now()
    machine.pass(20)
    expect(Math.abs(clock.adjust(START_MS + 10, askedAtMs))).toBeGreaterThan(HOUR_MS - 100)
    expect(Math.abs(clock.now() - (START_MS + 20))).toBeLessThanOrEqual(20)
  })

  it('that wakes from a sleep of the machine, which stops the count, is put right by the reference', () => {
    const machine = new Machine()
    const clock = new StationClock(machine)
    machine.wall += HOUR_MS
    const askedAtMs = clock.now()
    expect(clock.adjust(START_MS + HOUR_MS, askedAtMs)).toBe(HOUR_MS)
    expect(clock.now()).toBe(START_MS + HOUR_MS)
  })

  it('is left alone when the reference says what it could have said in time, however slow the answer', () => {
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
