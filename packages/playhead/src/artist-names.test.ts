import { expect, it } from 'vitest'
import { artistNames, firstArtists } from './artist-names.ts'

it('names a stretch by its first artists, each once', () => {
  expect(artistNames(firstArtists(['Adele', 'Queen', 'Adele']))).toBe('Adele, Queen')
  expect(artistNames(firstArtists(['Adele', 'Queen', 'Adele', 'PSY', 'a-ha', 'Toto']))).toBe(
    'Adele, Queen, PSY and 2 more',
  )
})
