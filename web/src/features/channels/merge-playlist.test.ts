import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from './draft.ts'
import { mergePlaylist, overwriteDraft } from './merge-playlist.ts'

const entry = (id: string): Entry => ({ id, videoId: `video of ${id}`, video: null })
const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id)
const list = (...ids: string[]) => ids.map(entry)

/** A list and two edited versions of it: entries removed, added and reordered. */
const versions = fc
  .uniqueArray(fc.integer({ min: 0, max: 99 }).map(String), { maxLength: 12 })
  .chain((base) => {
    const version = (name: string) =>
      fc.tuple(fc.subarray(base), fc.nat({ max: 3 })).chain(([kept, added]) => {
        const all = [...kept, ...Array.from({ length: added }, (_, index) => `${name}${index}`)]
        return fc.shuffledSubarray(all, { minLength: all.length })
      })
    return fc.record({ base: fc.constant(base), mine: version('m'), theirs: version('t') })
  })

test('if only one side has changes, the merge is that side', () => {
  fc.assert(
    fc.property(versions, ({ base, mine, theirs }) => {
      expect(idsOf(mergePlaylist(list(...base), list(...mine), list(...base)))).toEqual(mine)
      expect(idsOf(mergePlaylist(list(...base), list(...base), list(...theirs)))).toEqual(theirs)
    }),
  )
})

test('the merge contains everything that was added and nothing that was removed, each entry once', () => {
  fc.assert(
    fc.property(versions, ({ base, mine, theirs }) => {
      const merged = idsOf(mergePlaylist(list(...base), list(...mine), list(...theirs)))
      const expected = [
        ...base.filter((id) => mine.includes(id) && theirs.includes(id)),
        ...mine.filter((id) => !base.includes(id)),
        ...theirs.filter((id) => !base.includes(id)),
      ]
      expect(merged.toSorted()).toEqual(expected.toSorted())
    }),
  )
})

test('merging twice with the same changes has the effect of merging once', () => {
  fc.assert(
    fc.property(versions, ({ base, mine, theirs }) => {
      const once = mergePlaylist(list(...base), list(...mine), list(...theirs))
      expect(idsOf(mergePlaylist(list(...theirs), once, list(...theirs)))).toEqual(idsOf(once))
    }),
  )
})

test('a moved entry follows its predecessor, wherever others have moved it', () => {
  const merged = mergePlaylist(
    list('a', 'b', 'c', 'd'),
    list('a', 'd', 'b', 'c'),
    list('x', 'b', 'c', 'a', 'd'),
  )
  expect(idsOf(merged)).toEqual(['x', 'b', 'c', 'a', 'd'])
  const afterRemoved = mergePlaylist(list('a', 'b', 'c'), list('a', 'b', 'n', 'c'), list('a', 'c'))
  expect(idsOf(afterRemoved)).toEqual(['a', 'n', 'c'])
})

test('overwriting keeps the list of the draft, restores entries that others removed, and omits videos deleted from the library', () => {
  const draft = {
    base: { items: list('a', 'b', 'c'), etag: '1' },
    entries: list('c', 'a', 'b'),
    shuffle: true,
  }
  const theirs = { items: list('a', 'x'), etag: '2' }
  const result = overwriteDraft(draft, theirs, (videoId) => videoId === 'video of b')
  expect(idsOf(result.entries)).toEqual(['c', 'a'])
  expect([result.base, result.shuffle]).toEqual([theirs, true])
})
