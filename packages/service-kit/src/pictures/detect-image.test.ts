import { expect, it } from 'vitest'
import { detectImage } from './detect-image.ts'

/** The header of a WebP of 20 × 10 pixels. */
const webp = Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x13\0\0\x09\0\0', 'latin1')

it('reads the size of a picture from its header', () => {
  expect(detectImage(webp)).toEqual({ type: 'image/webp', width: 20, height: 10 })
})

it('does not read beyond the end of the given bytes', () => {
  expect(detectImage(webp.subarray(0, 24))).toBeUndefined()
})
