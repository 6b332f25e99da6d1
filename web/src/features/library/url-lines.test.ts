import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inBatches, parseUrlLines, playlistIdOf } from './url-lines.ts'

it('one URL per line is read, and blank lines are dropped', () => {
  expect(parseUrlLines(' https://a \n\n\thttps://b\r\n')).toEqual({ urls: ['https://a', 'https://b'] })
})

it('an empty text and a text without URLs are different problems', () => {
  expect(parseUrlLines('')).toMatchObject({ problem: { title: 'Missing information' } })
  expect(parseUrlLines(' \n \n')).toMatchObject({ problem: { title: 'No valid URLs' } })
})

it('batches contain all items, and none is too large', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 9 }), (items, size) => {
      const batches = inBatches(items, size)
      expect(batches.flat()).toEqual(items)
      for (const batch of batches) {
        expect(batch.length).toBeGreaterThan(0)
        expect(batch.length).toBeLessThanOrEqual(size)
      }
    }),
  )
})

it('the playlist id is found in every form of YouTube URL', () => {
  for (const url of [
    'https://www.youtube.com/playlist?list=PLabc_-1',
    ' youtube.com/watch?v=abcdefghijk&list=PLabc_-1 ',
    'https://youtu.be/abcdefghijk?list=PLabc_-1',
  ]) {
    expect(playlistIdOf(url)).toBe('PLabc_-1')
  }
})

it('other texts have no playlist id', () => {
  for (const url of [
    '',
    'PLabc',
    'https://youtube.com/watch?v=abcdefghijk',
    'https://youtube.com.evil.example/playlist?list=PLabc',
    'https://www.youtube.com/playlist?list=../../users',
  ]) {
    expect(playlistIdOf(url)).toBeNull()
  }
})
