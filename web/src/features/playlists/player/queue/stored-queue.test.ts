import { seededRandom } from '@looptide/playhead/random'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { someEntries } from './_entries.ts'
import { EMPTY_QUEUE, loadQueue, nextVideo } from './queue.ts'
import { readStored, type StoredQueue, writeStored } from './stored-queue.ts'

const stored: StoredQueue = {
  queue: nextVideo(loadQueue(someEntries(5), { ...EMPTY_QUEUE, shuffle: true }, seededRandom(1))),
  playlist: { id: 'p', name: 'Mine', isOwn: true },
}

it('restores a stored queue', () => {
  expect(readStored(writeStored(stored))).toEqual(stored)
  expect(readStored(writeStored({ queue: EMPTY_QUEUE, playlist: null }))?.queue).toEqual(EMPTY_QUEUE)
})

it('restores a queue that was stored before videos had tags and trim points', () => {
  const { entries } = stored.queue
  const before = entries.map(
    ({ key, video: { tags: _tags, startAtMs: _start, endAtMs: _end, ...video } }) => ({
      key,
      video,
    }),
  )
  const text = JSON.stringify({ version: 1, ...stored, queue: { ...stored.queue, entries: before } })
  expect(readStored(text)).toEqual(stored)
})

it('ignores other values', () => {
  expect(readStored(null)).toBeUndefined()
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(readStored(text)).toBeUndefined()
    }),
  )
})

it('ignores a queue with any invalid part', () => {
  const damages = {
    version: { version: 0 },
    current: { queue: { ...stored.queue, current: 5 } },
    order: { queue: { ...stored.queue, order: [0, 1, 2, 3] } },
    repeats: { queue: { ...stored.queue, order: [0, 0, 1, 2, 3] } },
    played: { queue: { ...stored.queue, played: [9] } },
    loop: { queue: { ...stored.queue, loop: 'twice' } },
    entries: { queue: { ...stored.queue, entries: [{ key: 'x' }] } },
  }
  for (const [name, damage] of Object.entries(damages)) {
    const text = JSON.stringify({ ...JSON.parse(writeStored(stored)), ...damage })
    expect(readStored(text), name).toBeUndefined()
  }
})
