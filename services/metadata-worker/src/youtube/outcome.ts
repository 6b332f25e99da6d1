import type { EventData } from '@looptide/contracts/events'
import { cleanLine } from '@looptide/contracts/text'

export type VideoMetadata = EventData<'metadata.video.resolved.v1'>

/** The reason why a video is unavailable, as the catalogue stores it. */
export type UnavailableReason =
  | 'removed'
  | 'private'
  | 'not_embeddable'
  | 'age_restricted'
  | 'region_blocked'
  | 'bad_id'
  | 'upcoming'
  | 'live'

/**
 * A premiere or live stream. Until it has ended it is no video of a known length. `startsAtMs`: its scheduled start, epoch
 * ms; null if YouTube did not say it.
 */
export interface Broadcast {
  state: 'upcoming' | 'live'
  startsAtMs: number | null
}

/**
 * The outcome of a look-up of one video. `unavailable` includes metadata if YouTube returned any. It is final, except for a
 * `broadcast`, which is looked up again. `failed` is transient and is retried.
 */
export type Outcome =
  | { kind: 'resolved'; metadata: VideoMetadata }
  | {
      kind: 'unavailable'
      reason: UnavailableReason
      metadata: VideoMetadata | null
      broadcast?: Broadcast | undefined
    }
  | { kind: 'failed'; error: Error }

/** The quota is used up until its next reset. */
export class QuotaExhaustedError extends Error {
  constructor() {
    super('the daily quota is used up')
    this.name = 'QuotaExhaustedError'
  }
}

/** YouTube responded with 429 (too many requests). */
export class ThrottledError extends Error {
  readonly retryAfterMs: number
  constructor(retryAfterMs: number) {
    super('YouTube rate limit reached')
    this.name = 'ThrottledError'
    this.retryAfterMs = retryAfterMs
  }
}

/** YouTube refused a request that it would refuse again, for example because of an invalid API key. */
export class RequestRefusedError extends Error {
  override readonly name = 'RequestRefusedError'
}

/** A client that looks up videos on YouTube. */
export interface YoutubeClient {
  readonly mode: 'api' | 'keyless'
  /** Maximum videos per look-up. */
  readonly batchSize: number
  /**
   * Returns an outcome for each id. Throws if the whole look-up failed: {@link QuotaExhaustedError},
   * {@link ThrottledError}, or another error for a transient failure.
   */
  lookUp(youtubeIds: readonly string[]): Promise<Map<string, Outcome>>
}

/** The artist's name from the name of a channel: without the suffixes "- Topic" and "VEVO". */
export const artistOfChannel = (channel: string): string =>
  cleanLine(channel)
    .replace(/ - Topic$/, '')
    .replace(/(?<=\S)VEVO$/, '')
    .trim()

/** The picture that YouTube has for every video. */
export const thumbnailUrl = (youtubeId: string): string => `https://i.ytimg.com/vi/${youtubeId}/hqdefault.jpg`
