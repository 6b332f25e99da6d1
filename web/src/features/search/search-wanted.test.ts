import { expect, it } from 'vitest'
import { searchWanted } from './search-wanted.ts'

const wantedBy = (query: string, state = {}) => searchWanted(new URLSearchParams(query), state)

it('looks for a text, for an artist, or for a text with the video that was chosen', () => {
  expect(wantedBy('q=+neon+')).toEqual({
    wish: { q: 'neon' },
    videoId: null,
    title: 'Search Results for "neon"',
    nothing: 'No videos found matching "neon"',
  })
  expect(wantedBy('artist=AC/DC')).toEqual({
    wish: { artist: 'AC/DC' },
    videoId: null,
    title: 'Videos by AC/DC',
    nothing: 'No videos found for artist "AC/DC"',
  })
  expect(wantedBy('q=neon&video=v1')?.videoId).toBe('v1')
})

it('takes navigation state where the address says nothing, and the address where it says something', () => {
  expect(wantedBy('', { query: 'neon', searchType: 'general' })?.wish).toEqual({ q: 'neon' })
  expect(wantedBy('', { query: 'x', searchType: 'artist', artistName: 'Neon' })?.wish).toEqual({
    artist: 'Neon',
  })
  expect(wantedBy('q=new', { query: 'old', searchType: 'artist', artistName: 'Old' })?.wish).toEqual({
    q: 'new',
  })
})

it('looks for nothing when asked for nothing, and never for more than the server takes', () => {
  for (const query of ['', 'q=', 'q=+++', 'artist=']) expect(wantedBy(query)).toBeNull()
  expect(wantedBy('', { query: '  ' })).toBeNull()
  expect(wantedBy(`q=${'x'.repeat(300)}`)?.wish).toEqual({ q: 'x'.repeat(200) })
})
