import { expect, it } from 'vitest'
import { requestedSearch } from './requested-search.ts'

const requestedBy = (query: string, state = {}) => requestedSearch(new URLSearchParams(query), state)

it('looks for a text, for an artist, or for a text with the video that was chosen', () => {
  expect(requestedBy('q=+neon+')).toEqual({
    query: { q: 'neon' },
    videoId: null,
    title: 'Search Results for "neon"',
    nothing: 'No videos found matching "neon"',
  })
  expect(requestedBy('artist=AC/DC')).toEqual({
    query: { artist: 'AC/DC' },
    videoId: null,
    title: 'Videos by AC/DC',
    nothing: 'No videos found for artist "AC/DC"',
  })
  expect(requestedBy('q=neon&video=v1')?.videoId).toBe('v1')
})

it('takes navigation state where the address says nothing, and the address where it says something', () => {
  expect(requestedBy('', { query: 'neon', searchType: 'general' })?.query).toEqual({ q: 'neon' })
  expect(requestedBy('', { query: 'x', searchType: 'artist', artistName: 'Neon' })?.query).toEqual({
    artist: 'Neon',
  })
  expect(requestedBy('q=new', { query: 'old', searchType: 'artist', artistName: 'Old' })?.query).toEqual({
    q: 'new',
  })
})

it('looks for nothing when asked for nothing, and never for more than the server takes', () => {
  for (const query of ['', 'q=', 'q=+++', 'artist=']) expect(requestedBy(query)).toBeNull()
  expect(requestedBy('', { query: '  ' })).toBeNull()
  expect(requestedBy(`q=${'x'.repeat(300)}`)?.query).toEqual({ q: 'x'.repeat(200) })
})
