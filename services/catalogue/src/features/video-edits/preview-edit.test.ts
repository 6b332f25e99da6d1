import { expect, it } from 'vitest'
import { sumPreviews } from './preview-edit.ts'

it('the previews of several batches are added up, most frequent first within a field', () => {
  const pop = { field: 'category', from: 'Pop', count: 2 } as const
  const none = { field: 'category', from: null, count: 4 } as const
  const artist = { field: 'artistName', from: 'A', count: 1 } as const
  expect(
    sumPreviews([
      { count: 6, changes: [none, pop] },
      { count: 4, changes: [{ ...pop, count: 3 }, artist] },
    ]),
  ).toEqual({ count: 10, changes: [artist, { ...pop, count: 5 }, none] })
})

it('tags are added up without case, and up to five titles are kept', () => {
  const titles = (count: number) => ({
    count,
    keptCount: 1,
    examples: Array.from({ length: Math.min(count, 4) }, (_, n) => ({
      from: `Song ${n} (HD)`,
      to: `Song ${n}`,
    })),
  })
  const tag = { tag: 'Rock', change: 'added', count: 3 } as const
  const sum = sumPreviews([
    { count: 4, changes: [], tags: [tag], fullCount: 2, titles: titles(4) },
    { count: 2, changes: [], tags: [{ ...tag, tag: 'ROCK' }], fullCount: 0, titles: titles(2) },
  ])
  expect(sum.tags).toEqual([{ ...tag, count: 6 }])
  expect(sum.fullCount).toBe(2)
  expect(sum.titles).toMatchObject({ count: 6, keptCount: 2 })
  expect(sum.titles?.examples).toHaveLength(5)
})
