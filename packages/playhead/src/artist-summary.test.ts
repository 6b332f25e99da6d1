import { expect, it } from 'vitest'
import { formatArtistSummary, summarizeArtists } from './artist-summary.ts'

it('lists the first three artists, each once, and counts the others', () => {
  expect(formatArtistSummary(summarizeArtists(['Adele', 'Queen', 'Adele']))).toBe('Adele, Queen')
  expect(formatArtistSummary(summarizeArtists(['Adele', 'Queen', 'Adele', 'PSY', 'a-ha', 'Toto']))).toBe(
    'Adele, Queen, PSY and 2 more',
  )
})
