import { MAX_EVENT_BYTES } from '@looptide/service-kit/events/outbox'
import { expect, it } from 'vitest'
import type { Outcome, VideoMetadata } from '../youtube/outcome.ts'
import type { LookupRequest } from './lookup-queue.ts'
import { bulkAnswers, outcomeEvents } from './outcome-events.ts'

const request = (requestId: string): LookupRequest => ({
  ...{ requestId, version: 7, correlationId: 'cause', isRepeated: true },
})
const metadataOf = (youtubeId: string, changes: Partial<VideoMetadata> = {}): VideoMetadata => ({
  ...{ youtubeId, title: youtubeId, description: null, thumbnailUrl: null, artistName: null },
  ...{ durationMs: 1000, embeddable: true, regionBlocked: [], ...changes },
})
const resolved = (youtubeId: string, changes?: Partial<VideoMetadata>): Outcome => ({
  kind: 'resolved',
  metadata: metadataOf(youtubeId, changes),
})
const answer = (youtubeId: string, outcome: Outcome, requestId = 'one') => ({
  youtubeId,
  request: request(requestId),
  events: outcomeEvents(youtubeId, request(requestId), outcome, 0),
})

it('joins the metadata of one request, under the ids that the events have alone', () => {
  const together = ['a', 'b'].map((id) => answer(id, resolved(id)))
  const [bulk, ...others] = bulkAnswers([...together, answer('c', resolved('c'), 'other')])
  expect(others).toEqual([])
  expect(bulk?.answers.map(({ youtubeId }) => youtubeId)).toEqual(['a', 'b'])
  expect(bulk?.event).toMatchObject({ correlationId: 'cause', aggregateVersion: 7 })
  expect(bulk?.event.data.videos.map(({ eventId }) => eventId)).toEqual(
    together.map(({ events }) => events[0]?.id),
  )
})

it('leaves the events of unavailable and failed videos, and one that is not valid, as they are', () => {
  const removed: Outcome = { kind: 'unavailable', reason: 'removed', metadata: null }
  const barred: Outcome = { kind: 'unavailable', reason: 'not_embeddable', metadata: metadataOf('b') }
  const failed: Outcome = { kind: 'failed', error: new Error('no answer') }
  const invalid = resolved('f', { durationMs: -1 })
  const batch = [removed, barred, failed, resolved('d'), resolved('e'), invalid]
  const [bulk, ...others] = bulkAnswers(batch.map((outcome, index) => answer('abcdef'[index] ?? '', outcome)))
  expect(others).toEqual([])
  expect(bulk?.answers.map(({ youtubeId }) => youtubeId)).toEqual(['d', 'e'])
})

it('leaves the answers to an admin, whose request nobody repeats, as they are', () => {
  const retried = ['a', 'b'].map((id) => answer(id, resolved(id)))
  const unrepeated = { requestId: 'one', version: 7, correlationId: 'cause' }
  expect(bulkAnswers(retried.map((one) => ({ ...one, request: unrepeated })))).toEqual([])
})

it('splits what does not fit into one event', () => {
  const ids = Array.from({ length: 50 }, (_, index) => `video${index}`)
  const bulk = bulkAnswers(ids.map((id) => answer(id, resolved(id, { description: '語'.repeat(5000) }))))
  expect(bulk.flatMap(({ answers }) => answers.map(({ youtubeId }) => youtubeId))).toEqual(ids)
  expect(bulk.length).toBeGreaterThan(1)
  for (const { event } of bulk) {
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(MAX_EVENT_BYTES)
  }
})
