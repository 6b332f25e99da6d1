import type { ReactionPace } from '@looptide/contracts/http/airing-details'
import type { AirLogEntry } from '@looptide/contracts/http/channels'
import type { Video } from '@looptide/contracts/http/videos'
import { type PlayerRange, playerRange } from '../../lib/media/player-range.ts'

/** The length of what is played again, in ms. */
export const REPLAY_MS = 3_600_000

/** A programme of the hour, with its video; without one if that cannot be played any longer. */
export interface ReplayItem {
  entry: AirLogEntry
  video: Video | undefined
}

/** The programmes in the order in which they were on, each with its video. */
export function replayItems(entries: readonly AirLogEntry[], videos: readonly Video[]): ReplayItem[] {
  const byId = new Map(videos.map((video) => [video.id, video]))
  return entries.map((entry) => {
    const video = byId.get(entry.videoId)
    return { entry, video: video?.metadataStatus === 'unavailable' ? undefined : video }
  })
}

/** The part of a video that was on the air: a programme that was cut short ends where it was cut. */
export function airedRange(video: Video, { startedAtMs, endedAtMs }: AirLogEntry): PlayerRange {
  const range = playerRange(video)
  const cutMs = range.startAtMs + (endedAtMs - startedAtMs)
  return {
    startAtMs: range.startAtMs,
    endAtMs: range.endAtMs === null ? cutMs : Math.min(range.endAtMs, cutMs),
  }
}

/** The time in the evening that a position of the player is, in epoch ms: always one at which the programme was on. */
export function airTimeAt(
  { startedAtMs, endedAtMs }: Pick<AirLogEntry, 'startedAtMs' | 'endedAtMs'>,
  rangeStartMs: number,
  positionMs: number,
): number {
  return Math.min(endedAtMs, Math.max(startedAtMs, startedAtMs + positionMs - rangeStartMs))
}

/** The index of the next programme after `index` that can be played; undefined if there is none. */
export function nextPlayable(
  items: readonly ReplayItem[],
  index: number,
  failed: ReadonlySet<string>,
): number | undefined {
  const next = items.findIndex(
    ({ entry, video }, place) => place > index && video !== undefined && !failed.has(entry.id),
  )
  return next === -1 ? undefined : next
}

/** The index after the video at `index` has failed: the next one that can be played, else the same; undefined if there is none. */
export const indexAfterFailure = (
  items: readonly ReplayItem[],
  index: number,
  failed: ReadonlySet<string>,
): number | undefined =>
  nextPlayable(items, index, failed) ?? (nextPlayable(items, -1, failed) === undefined ? undefined : index)

/** How many reactions there had been `afterMs` after the start of an airing. */
export function reactionsBy(steps: ReactionPace['steps'], afterMs: number): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const step of steps) {
    if (step.afterMs > afterMs) continue
    for (const [emoji, count] of Object.entries(step.counts)) sums[emoji] = (sums[emoji] ?? 0) + count
  }
  return sums
}
