import { expect, it } from 'vitest'
import { PICTURE_PLACES } from './picture-place.ts'

it('the picture leaves the page for the guide only in windows with room for it there', () => {
  const onPage = new Set(PICTURE_PLACES.page.split(' '))
  const moving = PICTURE_PLACES.guide.split(' ').filter((name) => !onPage.has(name))
  expect(moving).toContain('guide-picture:fixed')
  expect(moving.filter((name) => !name.startsWith('guide-picture:'))).toEqual([])
})
