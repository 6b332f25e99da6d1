import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readBulkUrls, readSingleUrl } from './read-urls.ts'

const ids = fc.stringMatching(/^[A-Za-z0-9_-]{11}$/)
const addresses = fc
  .tuple(
    fc.constantFrom(
      (id: string) => `https://www.youtube.com/watch?v=${id}`,
      (id: string) => `https://www.youtube.com/watch?v=${id}&list=PL123&index=2`,
      (id: string) => `https://youtu.be/${id}?si=x`,
      (id: string) => `youtube.com/embed/${id}`,
    ),
    ids,
    fc.constantFrom('', ' ', '\t'),
  )
  .map(([form, id, blank]) => ({ id, line: `${blank}${form(id)}${blank}` }))
const blankLines = fc.constantFrom('', '  ', '\t')
const nonsense = fc.constantFrom(
  'nonsense',
  'https://vimeo.com/1234567',
  'https://www.youtube.com/playlist?list=PL123',
  'https://youtu.be/short',
)

it('reads a single URL of every form', () => {
  fc.assert(
    fc.property(addresses, ({ id, line }) => {
      expect(readSingleUrl(line)).toEqual({ youtubeIds: [id] })
    }),
  )
})

it('returns an error for an invalid single URL', () => {
  expect(readSingleUrl('')).toEqual({ problem: 'Please enter a YouTube URL' })
  expect(readSingleUrl('  ')).toEqual({ problem: 'Please enter a YouTube URL' })
  fc.assert(
    fc.property(nonsense, (text) => {
      expect(readSingleUrl(text)).toEqual({ problem: 'Please enter a valid YouTube URL' })
    }),
  )
})

it('reads all lines in order, skipping blank ones', () => {
  fc.assert(
    fc.property(fc.array(addresses, { minLength: 1 }), blankLines, (list, blank) => {
      const text = list.map(({ line }) => line).join(`\n${blank}\n`)
      expect(readBulkUrls(text)).toEqual({ youtubeIds: list.map(({ id }) => id) })
    }),
  )
})

it('accepts none if any line is invalid, and counts the invalid ones', () => {
  fc.assert(
    fc.property(fc.array(addresses), fc.array(nonsense, { minLength: 1 }), (good, bad) => {
      const text = [...good.map(({ line }) => line), ...bad].join('\n')
      expect(readBulkUrls(text)).toEqual({
        problem: `${bad.length} invalid URL(s) found. Please check your URLs.`,
      })
    }),
  )
})

it('distinguishes an empty field from one without URLs, and limits their number', () => {
  expect(readBulkUrls('')).toEqual({ problem: 'Please enter YouTube URLs' })
  expect(readBulkUrls(' \n \n')).toEqual({ problem: 'No valid URLs found' })
  const many = Array(501).fill('https://youtu.be/aaaaaaaaaaa').join('\n')
  expect(readBulkUrls(many)).toEqual({ problem: 'Please add at most 500 URLs at a time.' })
})
