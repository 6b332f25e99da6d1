import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from './draft.ts'
import { mergePlaylist, overwritten } from './merge-playlist.ts'

const entry = (id: string): Entry => ({ id, videoId: `video of ${id}`, video: null })
const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id)
const list = (...ids: string[]) => ids.map(entry)

/** A list, and two versions of it that two people have made: some removed, some added, all in any order. */
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

test('without a change of theirs the merge is mine, and without one of mine it is theirs', () => {
  fc.assert(
    fc.property(versions, ({ base, mine, theirs }) => {
      expect(idsOf(mergePlaylist(list(...base), list(...mine), list(...base)))).toEqual(mine)
      expect(idsOf(mergePlaylist(list(...base), list(...base), list(...theirs)))).toEqual(theirs)
    }),
  )
})

test('the merge has what either added and nothing that either removed, each once', () => {
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

test('a merge that is merged again with the same changes stays as it is', () => {
  fc.assert(
    fc.property(versions, ({ base, mine, theirs }) => {
      const once = mergePlaylist(list(...base), list(...mine), list(...theirs))
      expect(idsOf(mergePlaylist(list(...theirs), once, list(...theirs)))).toEqual(idsOf(once))
    }),
  )
})

test('a moved entry stays behind its neighbour, wherever others have put that', () => {
  const merged = mergePlaylist(
    list('a', 'b', 'c', 'd'),
    list('a', 'd', 'b', 'c'),
    list('x', 'b', 'c', 'a', 'd'),
  )
  expect(idsOf(merged)).toEqual(['x', 'b', 'c', 'a', 'd'])
  const behindRemoved = mergePlaylist(list('a', 'b', 'c'), list('a', 'b', 'n', 'c'), list('a', 'c'))
  expect(idsOf(behindRemoved)).toEqual(['a', 'n', 'c'])
})

test('overwriting keeps my list, adds again what others removed, and leaves out what the library no longer has', () => {
  const draft = {
    base: { items: list('a', 'b', 'c'), etag: '1' },
    entries: list('c', 'a', 'b'),
    shuffle: true,
  }
  const theirs = { items: list('a', 'x'), etag: '2' }
  const result = overwritten(draft, theirs, (videoId) => videoId === 'video of b')
  expect(idsOf(result.entries)).toEqual(['c', 'a'])
  expect([result.base, result.shuffle]).toEqual([theirs, true])
})
