import { expect, test } from 'vitest'
import { planSave } from './plan-save.ts'

const current = [
  { id: 'one', videoId: 'a' },
  { id: 'two', videoId: 'b' },
]

test('items that the saved order lacks are removed, and new ones are added', () => {
  const body = { itemIds: ['three', 'one'], added: [{ itemId: 'three', videoId: 'c' }] }
  expect(planSave(current, body)).toEqual({ removed: ['two'], added: [{ itemId: 'three', videoId: 'c' }] })
})

test('an item that an earlier attempt has added is not added again', () => {
  const body = { itemIds: ['one', 'two'], added: [{ itemId: 'two', videoId: 'b' }] }
  expect(planSave(current, body)).toEqual({ removed: [], added: [] })
})

test.each([
  ['is not in the order', ['one'], [{ itemId: 'three', videoId: 'c' }]],
  [
    'is added twice',
    ['one', 'three'],
    [
      { itemId: 'three', videoId: 'c' },
      { itemId: 'three', videoId: 'c' },
    ],
  ],
])('an added item that %s is invalid', (_why, itemIds, added) => {
  expect(() => planSave(current, { itemIds, added })).toThrow(
    expect.objectContaining({ code: 'validation_failed' }),
  )
})

test.each([
  ['an item that the playlist no longer has', ['one', 'gone'], []],
  ['another video under a known id', ['one', 'two'], [{ itemId: 'two', videoId: 'c' }]],
])('%s is a conflict', (_what, itemIds, added) => {
  expect(() => planSave(current, { itemIds, added })).toThrow(expect.objectContaining({ code: 'conflict' }))
})
