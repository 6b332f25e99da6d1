import { expect, it } from 'vitest'
import { previewLines } from './preview-text.ts'

it('old values are listed with their number of videos, and the rest are summed up', () => {
  const changes = [
    { field: 'category' as const, from: 'Pop', count: 12 },
    { field: 'genre' as const, from: null, count: 1 },
    ...Array.from({ length: 8 }, (_, n) => ({
      field: 'artistName' as const,
      from: `Band ${n}`,
      count: 10 - n,
    })),
  ]
  const fields = { category: 'Classics', genre: 'Jazz', artistName: 'The Band' } as const
  expect(previewLines({ count: 20, changes }, fields)).toEqual([
    'Artist: 10 videos from Band 0 to The Band',
    'Artist: 9 videos from Band 1 to The Band',
    'Artist: 8 videos from Band 2 to The Band',
    'Artist: 7 videos from Band 3 to The Band',
    'Artist: 6 videos from Band 4 to The Band',
    'Artist: 12 videos from 3 other values to The Band',
    'Genre: 1 video from none to Jazz',
    'Category: 12 videos from Pop to Classics',
  ])
})

it('cleared fields are described', () => {
  const changes = [
    { field: 'genre' as const, from: 'Jazz', count: 2 },
    { field: 'artistName' as const, from: 'Band', count: 1 },
  ]
  expect(previewLines({ count: 2, changes }, { artistName: '', genre: '' })).toEqual([
    'Artist: 1 video from Band to Unknown Artist',
    'Genre: 2 videos from Jazz to none',
  ])
})

it('tags that are added or removed are listed, and videos with too many', () => {
  const preview = {
    count: 5,
    changes: [],
    tags: [
      { tag: 'Rock', change: 'added' as const, count: 3 },
      { tag: 'old', change: 'removed' as const, count: 1 },
    ],
    fullCount: 2,
  }
  expect(previewLines(preview, {})).toEqual([
    'Tag Rock: added to 3 videos',
    'Tag old: removed from 1 video',
    'Tags: not changed for 2 videos with too many tags',
  ])
})

it('up to five changed titles are listed, and how many more there are', () => {
  const examples = Array.from({ length: 5 }, (_, n) => ({ from: `Song ${n} (HD)`, to: `Song ${n}` }))
  const preview = { count: 6, changes: [], titles: { count: 6, keptCount: 1, examples } }
  expect(previewLines(preview, {})).toEqual([
    'Title: “Song 0 (HD)” becomes “Song 0”',
    'Title: “Song 1 (HD)” becomes “Song 1”',
    'Title: “Song 2 (HD)” becomes “Song 2”',
    'Title: “Song 3 (HD)” becomes “Song 3”',
    'Title: “Song 4 (HD)” becomes “Song 4”',
    'Title: changed for 1 more video',
    'Title: not changed for 1 video, whose title would become empty or too long',
  ])
})
