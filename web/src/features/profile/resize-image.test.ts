import fc from 'fast-check'
import { expect, it } from 'vitest'
import { middleSquare } from './resize-image.ts'

it('cuts the middle out of a wide and of a tall picture', () => {
  expect(middleSquare(400, 100)).toEqual({ x: 150, y: 0, side: 100 })
  expect(middleSquare(100, 400)).toEqual({ x: 0, y: 150, side: 100 })
})

it('stays inside whatever the picture', () => {
  const pixels = fc.integer({ min: 1, max: 10_000 })
  fc.assert(
    fc.property(pixels, pixels, (width, height) => {
      const { x, y, side } = middleSquare(width, height)
      expect(side).toBe(Math.min(width, height))
      expect(x + side <= width && y + side <= height && x >= 0 && y >= 0).toBe(true)
    }),
  )
})
