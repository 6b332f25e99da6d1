import { describe, expect, it } from 'vitest'
import { type LookupPush, MetadataUpdate } from './metadata-update.ts'

const push = (youtubeId: string, state: LookupPush['state'], receivedAtMs = 200): LookupPush => ({
  youtubeId,
  state,
  reason: null,
  receivedAtMs,
})

function afterPushes(...pushes: LookupPush[]): MetadataUpdate {
  const update = new MetadataUpdate(100)
  for (const each of pushes) update.observe(each)
  return update
}

describe('MetadataUpdate', () => {
  it('counts the lookups of the requested videos, also those that end before the response', () => {
    const update = afterPushes(
      push('a', 'queued'),
      push('a', 'fetching'),
      push('b', 'fetching'),
      push('a', 'done'),
    )
    expect(update.progress).toBeNull()
    update.setRequested(['a', 'b'])
    expect(update.progress).toEqual({ requested: 2, found: 1, failed: 0 })
    update.observe(push('b', 'failed'))
    expect(update.progress).toEqual({ requested: 2, found: 1, failed: 1 })
  })

  it('ignores an earlier lookup that ends after the request', () => {
    const update = afterPushes(
      push('a', 'fetching', 99),
      push('a', 'queued'),
      push('a', 'failed'),
      push('a', 'fetching'),
      push('a', 'done'),
    )
    update.setRequested(['a'])
    expect(update.progress).toEqual({ requested: 1, found: 1, failed: 0 })
  })

  it('ignores lookups of other videos and pushes that arrived before the request', () => {
    const update = afterPushes(
      push('a', 'fetching', 98),
      push('a', 'failed', 99),
      push('c', 'fetching'),
      push('c', 'done'),
    )
    update.setRequested(['a'])
    expect(update.progress).toEqual({ requested: 1, found: 0, failed: 0 })
  })

  it('counts a repeated lookup once, with its last state', () => {
    const update = afterPushes(
      push('a', 'fetching'),
      push('a', 'failed'),
      push('a', 'fetching'),
      push('a', 'done'),
    )
    update.setRequested(['a'])
    expect(update.progress).toEqual({ requested: 1, found: 1, failed: 0 })
  })
})
