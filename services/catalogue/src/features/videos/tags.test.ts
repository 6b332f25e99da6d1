import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanTags, missingTags, withTagChanges } from './tags.ts'

const tag = fc.constantFrom('rock', 'Rock', 'ROCK', '90s', 'Live at Leeds', 'live at leeds', 'x')
const tags = fc.array(tag, { maxLength: 8 })
const keys = (list: readonly string[]) => list.map((text) => text.toLowerCase())

describe('cleaned tags', () => {
  it('are trimmed, on one line, and unique without case; the first spelling is kept', () => {
    expect(cleanTags([' Rock', 'rock', 'Live\n at  Leeds', 'ROCK ', '90s'])).toEqual([
      'Rock',
      'Live at Leeds',
      '90s',
    ])
  })

  it('contain each tag of the input once', () => {
    fc.assert(
      fc.property(tags, (given) => {
        const cleaned = keys(cleanTags(given))
        expect(new Set(cleaned).size).toBe(cleaned.length)
        expect(new Set(cleaned)).toEqual(new Set(keys(given)))
      }),
    )
  })
})

describe('a bulk edit', () => {
  it('adds and removes tags without case, and keeps the order and spelling of the others', () => {
    expect(withTagChanges(['Rock', '90s'], { added: ['rock', 'Live'], removed: ['90S'] })).toEqual([
      'Rock',
      'Live',
    ])
  })

  it('leaves exactly the tags that were there or added, and were not removed', () => {
    fc.assert(
      fc.property(tags, tags, tags, (before, added, removed) => {
        const after = withTagChanges(cleanTags(before), { added, removed }) ?? []
        const expected = new Set(keys([...before, ...added]).filter((key) => !keys(removed).includes(key)))
        expect(new Set(keys(after))).toEqual(expected)
        expect(missingTags(after, [...before, ...added])).toEqual([])
      }),
    )
  })

  it('is refused for a video that would have more than 20 tags', () => {
    const full = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
    expect(withTagChanges(full, { added: ['one more'] })).toBeUndefined()
    expect(withTagChanges(full, { added: ['one more'], removed: ['tag 3'] })).toHaveLength(20)
  })
})
