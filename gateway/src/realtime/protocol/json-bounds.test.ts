import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isWithinJsonBounds } from './json-bounds.ts'

/** Levels and values of a parsed text, which the scan must find without parsing. */
function measure(value: unknown): { levels: number; commasAndStarts: number } {
  if (typeof value !== 'object' || value === null) return { levels: 0, commasAndStarts: 0 }
  const members = Object.values(value)
  const inner = members.map(measure)
  return {
    levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
    commasAndStarts:
      1 +
      Math.max(0, members.length - 1) +
      inner.reduce((sum, { commasAndStarts }) => sum + commasAndStarts, 0),
  }
}

it('finds the levels and values of any JSON with any strings', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('[', ']]', '{"', '\\', '\\"', ',,,'))
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 6 }),
      fc.dictionary(text, tie('value'), { maxKeys: 6 }),
    ),
  })).value
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
      const { levels, commasAndStarts: values } = measure(value)
      const written = JSON.stringify(value, null, indent)
      expect(isWithinJsonBounds(written, { levels, values })).toBe(true)
      if (levels > 0) {
        expect(isWithinJsonBounds(written, { levels: levels - 1, values })).toBe(false)
        expect(isWithinJsonBounds(written, { levels, values: values - 1 })).toBe(false)
      }
    }),
  )
})

it('terminates on any text and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '"\\', '\\', ']]]')), (text) => {
      isWithinJsonBounds(text, { levels: 3, values: 3 })
    }),
  )
})
