import { expect, it } from 'vitest'
import { tagProblem, tagsOf, tagText } from './tag-text.ts'

it('a text is split into tags that are trimmed and unique without case', () => {
  expect(tagsOf(' Rock, rock,, Live   at Leeds ,')).toEqual(['Rock', 'Live at Leeds'])
  expect(tagsOf(' , ')).toEqual([])
  expect(tagsOf(tagText(['Rock', '90s']))).toEqual(['Rock', '90s'])
})

it('tags that are too long or too many are a problem', () => {
  expect(tagProblem(['x'.repeat(40)])).toBeUndefined()
  expect(tagProblem(['x'.repeat(41)])).toContain('longer than 40 characters')
  expect(tagProblem(Array.from({ length: 21 }, (_, index) => `tag ${index}`))).toContain('at most 20 tags')
})
