import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import { MAX_ITEMS_PER_EVENT } from '@looptide/contracts/playlist-events'
import { newId } from '@looptide/service-kit/db/ids'
import { jetstream } from '@looptide/service-kit/events/nats-client'
import { type EventPublisher, publishEnvelope } from '@looptide/service-kit/events/publish-envelope'
import type { QuotaLedger } from '../queue/quota-ledger.ts'
import { QuotaExhaustedError, RequestRefusedError, ThrottledError } from '../youtube/outcome.ts'
import { type PlaylistClient, PlaylistNotFoundError } from '../youtube/playlist-client.ts'

const MAX_MESSAGE_LENGTH = 500

export type ListRequest = EventData<'catalogue.playlist.requested.v1'>
type Failure = Omit<EventData<'metadata.playlist.failed.v1'>, 'listId'>

export interface ListReaderDeps extends EventPublisher {
  /** Null without an API key. */
  client: PlaylistClient | null
  ledger: QuotaLedger
  /** Epoch ms. */
  now: () => number
}

/**
 * Reads a followed list and publishes its items, or why that is impossible for now. Throws temporary errors: of YouTube,
 * of Redis and of NATS. A repeated reading publishes its items again, which the catalogue ignores.
 */
export async function readList(deps: ListReaderDeps, request: ListRequest): Promise<void> {
  const { client, ledger, now } = deps
  if (client === null) {
    return publishFailure(deps, request.listId, { code: 'no_api_key', message: '', continuesAtMs: null })
  }
  try {
    await checkPause(ledger)
    const described = request.playlistId === null ? await client.describe(request) : null
    const playlistId = described?.playlistId ?? request.playlistId ?? request.id
    const { etag, newestIds } = request
    const isChannel = request.kind !== 'playlist'
    const reading = await client.readNew({ playlistId, etag, newestIds, isChannel })
    const { youtubeIds, ...rest } = reading
    await publishItems(
      deps,
      { ...rest, listId: request.listId, playlistId, title: described?.title ?? null },
      youtubeIds,
    )
  } catch (error) {
    if (error instanceof ThrottledError) await ledger.pauseUntil(now() + error.retryAfterMs)
    const failure = await finalFailure(ledger, error)
    if (failure === null) throw error
    await publishFailure(deps, request.listId, failure)
  }
}

/** Throws while all calls are paused: {@link QuotaExhaustedError}, or a temporary error. */
async function checkPause(ledger: QuotaLedger): Promise<void> {
  const untilMs = await ledger.pausedUntil()
  if (untilMs === null) return
  throw untilMs === ledger.resetsAtMs ? new QuotaExhaustedError() : new Error('YouTube rate limit reached')
}

const quotaFailure = (continuesAtMs: number): Failure => ({
  code: 'quota_exhausted',
  message: '',
  continuesAtMs,
})

/** The failure to report; null for an error that another attempt may not meet. */
async function finalFailure(ledger: QuotaLedger, error: unknown): Promise<Failure | null> {
  if (error instanceof PlaylistNotFoundError) return { code: 'not_found', message: '', continuesAtMs: null }
  if (error instanceof QuotaExhaustedError) return quotaFailure(await ledger.pauseUntilReset())
  if (error instanceof RequestRefusedError)
    return { code: 'refused', message: error.message, continuesAtMs: null }
  return null
}

/** Publishes that a list could not be read. The message is cut to the length that events allow. */
export async function publishFailure(deps: ListReaderDeps, listId: string, failure: Failure): Promise<void> {
  const message = failure.message.slice(0, MAX_MESSAGE_LENGTH)
  await publish(deps, 'metadata.playlist.failed.v1', { ...failure, message, listId })
}

type Part = Omit<EventData<'metadata.playlist.read.v1'>, 'youtubeIds' | 'isLast'>

async function publishItems(deps: ListReaderDeps, part: Part, youtubeIds: readonly string[]): Promise<void> {
  let from = 0
  do {
    const ids = youtubeIds.slice(from, from + MAX_ITEMS_PER_EVENT)
    from += MAX_ITEMS_PER_EVENT
    const data = { ...part, youtubeIds: ids, isLast: from >= youtubeIds.length }
    await publish(deps, 'metadata.playlist.read.v1', data)
  } while (from < youtubeIds.length)
}

async function publish<T extends 'metadata.playlist.read.v1' | 'metadata.playlist.failed.v1'>(
  { nats, keys, now }: ListReaderDeps,
  type: T,
  data: EventData<T> & { listId: string },
): Promise<void> {
  const event: Envelope<T> = {
    id: newId(),
    type,
    occurredAt: new Date(now()).toISOString(),
    actorId: null,
    correlationId: null,
    aggregateId: data.listId,
    aggregateVersion: now(),
    data,
  }
  await publishEnvelope(jetstream(nats), keys, event as Envelope<EventType>)
}
