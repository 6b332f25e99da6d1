import type { GuideBlock } from '@looptide/contracts/http/guide'
import { expect, it } from 'vitest'
import { blockText } from './block-text.ts'

const BLOCK: GuideBlock = {
  id: '1',
  startsAtMs: 0,
  endsAtMs: 1,
  trackCount: 14,
  artists: ['Adele', 'Queen', 'PSY'],
  artistCount: 5,
  title: null,
  block: null,
}
const programmeBlock = { id: 'gold', name: 'Gold', description: null, colour: null }

it.each<[string, Partial<GuideBlock>, string, string]>([
  ['the first two artists and how much else there is', {}, 'Adele, Queen', '3 more · 14 tracks'],
  ['a lone artist', { artists: ['Adele'], artistCount: 1, trackCount: 2 }, 'Adele', '2 tracks'],
  ['the block of the schedule first', { block: programmeBlock }, 'Gold', 'Adele, Queen, 3 more'],
  [
    'a single programme',
    { trackCount: 1, artists: ['Adele'], artistCount: 1, title: 'Hello' },
    'Hello',
    'Adele',
  ],
  [
    'a block without tracks, which is not planned yet',
    { block: programmeBlock, trackCount: 0, artists: [], artistCount: 0 },
    'Gold',
    '',
  ],
  ['cards alone', { trackCount: 0, artists: [], artistCount: 0 }, 'Station idents', ''],
])('names %s', (_what, change, title, detail) => {
  expect(blockText({ ...BLOCK, ...change })).toEqual({ title, detail })
})
