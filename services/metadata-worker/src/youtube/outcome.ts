import type { EventData } from '@looptide/contracts/events'

export type VideoFacts = EventData<'metadata.video.resolved.v1'>

/** Why YouTube will not show a video, as the catalogue stores it. */
export type UnavailableReason =
  | 'removed'
  | 'private'
  | 'not_embeddable'
  | 'age_restricted'
  | 'region_blocked'
  | 'bad_id'

/**
 * What a look-up of one video came to. `unavailable` is final: asking again changes nothing; what is known
 * of the video all the same comes with it. `failed` passes: it is worth another try.
 */
export type Outcome =
  | { kind: 'resolved'; facts: VideoFacts }
  | { kind: 'unavailable'; reason: UnavailableReason; facts: VideoFacts | null }
  | { kind: 'failed'; error: Error }

/** YouTube will not be asked any more today. */
export class QuotaOutError extends Error {
  constructor() {
    super('the daily quota is used up')
    this.name = 'QuotaOutError'
  }
}

/** YouTube wants fewer questions for a while. */
export class ThrottledError extends Error {
  readonly retryAfterMs: number
  constructor(retryAfterMs: number) {
    super('YouTube asks us to wait')
    this.name = 'ThrottledError'
    this.retryAfterMs = retryAfterMs
  }
}

/** A way of asking YouTube. */
export interface YoutubeClient {
  readonly mode: 'api' | 'keyless'
  /** How many videos one look-up may ask about. */
  readonly batchSize: number
  /**
   * One outcome for each id. Throws when the whole question failed: {@link QuotaOutError},
   * {@link ThrottledError}, or any other error for a passing fault.
   */
  lookUp(youtubeIds: readonly string[]): Promise<Map<string, Outcome>>
}

/** An artist from a channel's name: without the marks that YouTube's own channels carry. */
export const artistFromChannel = (channel: string): string =>
  channel
    .replace(/ - Topic$/, '')
    .replace(/(?<=\S)VEVO$/, '')
    .trim()

export const thumbnailOf = (youtubeId: string): string => `https://i.ytimg.com/vi/${youtubeId}/hqdefault.jpg`
