import { expect, it } from 'vitest'
import { detectImage } from './detect-image.ts'

/** The head of a WebP of 20 × 10 pixels. */
const webp = Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x13\0\0\x09\0\0', 'latin1')

it('finds the size of a picture in its head', () => {
  expect(detectImage(webp)).toEqual({ type: 'image/webp', width: 20, height: 10 })
})

it('does not look behind the end of the bytes it is given', () => {
  expect(detectImage(webp.subarray(0, 24))).toBeUndefined()
})
