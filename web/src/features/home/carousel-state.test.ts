import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CarouselState, FIRST_SLIDE, LOCK_MS, nextSlide } from './carousel-state.ts'

const at = (index: number): CarouselState => ({ ...FIRST_SLIDE, index })

describe('the carousel', () => {
  it('advances by one and wraps around at both ends', () => {
    expect(nextSlide(at(3), 5, { type: 'advance' }).index).toBe(4)
    expect(nextSlide(at(4), 5, { type: 'advance' }).index).toBe(0)
    expect(nextSlide(at(0), 5, { type: 'step', by: -1, atMs: 0 }).index).toBe(4)
  })

  it('ignores the viewer for 600 ms after a change', () => {
    const chosen = nextSlide(FIRST_SLIDE, 5, { type: 'choose', index: 2, atMs: 1_000 })
    expect(chosen.index).toBe(2)
    expect(nextSlide(chosen, 5, { type: 'step', by: 1, atMs: 1_000 + LOCK_MS - 1 })).toBe(chosen)
    expect(nextSlide(chosen, 5, { type: 'step', by: 1, atMs: 1_000 + LOCK_MS }).index).toBe(3)
  })

  it('is not locked by time passing', () => {
    const advanced = nextSlide(FIRST_SLIDE, 5, { type: 'advance' })
    expect(nextSlide(advanced, 5, { type: 'step', by: 1, atMs: 0 }).index).toBe(2)
  })

  it('restarts its timer with each change, and only then', () => {
    const chosen = nextSlide(FIRST_SLIDE, 5, { type: 'choose', index: 0, atMs: 0 })
    expect(chosen.turn).toBe(1)
    expect(nextSlide(chosen, 5, { type: 'step', by: 1, atMs: 10 }).turn).toBe(1)
    expect(nextSlide(chosen, 5, { type: 'advance' }).turn).toBe(2)
  })

  it('always shows an existing slide', () => {
    const changes = fc.oneof(
      fc.constant({ type: 'advance' } as const),
      fc.record({
        type: fc.constant('step' as const),
        by: fc.constantFrom(1 as const, -1 as const),
        atMs: fc.nat(),
      }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(changes), (count, list) => {
        const end = list.reduce((state, change) => nextSlide(state, count, change), FIRST_SLIDE)
        expect(end.index).toBeGreaterThanOrEqual(0)
        expect(end.index).toBeLessThan(count)
      }),
    )
  })
})
