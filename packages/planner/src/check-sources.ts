import type { ScheduleDocument, ScheduleProblem, Source } from '@looptide/contracts/schedule'
import { textKey } from '@looptide/contracts/text'
import { keySet, type LibraryVideo, type PlaylistItem } from './library.ts'
import { type EffectiveRules, effectiveRules } from './rules.ts'
import { itemsOf } from './source-items.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Maximum number of videos in all sources together: it bounds the time of a plan and the size of its state. */
const MAX_SOURCE_VIDEOS = 250_000

/** The library data that the semantic checks of a document need. */
export interface ScheduleLibrary {
  library: readonly LibraryVideo[]
  /** Playlists by channel id; `''` is the channel's own. */
  playlists: ReadonlyMap<string, readonly PlaylistItem[]>
  /** Epoch ms. */
  nowMs: number
}

interface FoundVideo {
  durationMs: number
  /** The artist's name in the form in which names are compared. */
  artist: string
}

/**
 * Problems of sources: without videos, with too many, or with too few for the hard rules. A published document may have
 * them later, because videos were removed or playlists changed.
 */
export function sourceProblems(document: ScheduleDocument, library: ScheduleLibrary): ScheduleProblem[] {
  const { found, problems, total } = findVideos(document, library)
  if (total > MAX_SOURCE_VIDEOS) {
    const message = `The sources have more than ${count(MAX_SOURCE_VIDEOS, 'video')} together. Narrow some of them, or use fewer.`
    return [{ path: '/sources', message }]
  }
  const check = (path: string, name: string, rules: EffectiveRules) =>
    ruleProblems(name, found.get(name) ?? [], rules).map((message) => ({ path, message }))
  return [
    ...problems,
    ...check('/defaultSource', document.defaultSource, effectiveRules(document, undefined)),
    ...(document.blocks ?? []).flatMap(({ source, rules }, index) =>
      source === undefined ? [] : check(`/blocks/${index}`, source, effectiveRules(document, rules)),
    ),
  ]
}

/** The playable videos of each source. It stops when there are too many. */
function findVideos(document: ScheduleDocument, { library, playlists, nowMs }: ScheduleLibrary) {
  const videos = new Map(
    library.map(({ id, durationMs, artistName }) => [id, { durationMs, artist: textKey(artistName) }]),
  )
  const found = new Map<string, FoundVideo[]>()
  const problems: ScheduleProblem[] = []
  let total = 0
  for (const [name, source] of Object.entries(document.sources)) {
    const playlist = source.kind === 'playlist' ? (playlists.get(source.channelId ?? '') ?? []) : []
    const items = itemsOf({ source, playlist, library, nowMs })
    const playable = [...new Set(items.map(({ videoId }) => videoId))].flatMap((id) => videos.get(id) ?? [])
    found.set(name, playable)
    if (playable.length === 0)
      problems.push({ path: `/sources/${name}`, message: emptySourceMessage(name, source) })
    total += playable.length
    if (total > MAX_SOURCE_VIDEOS) break
  }
  return { found, problems, total }
}

/** The reasons why a source that is played alone cannot satisfy the hard rules. */
function ruleProblems(name: string, all: readonly FoundVideo[], rules: EffectiveRules): string[] {
  const { maxDurationMinutes, videoSeparationHours, artistSeparationMinutes } = rules
  if (all.length === 0) return []
  const excluded = keySet(rules.excludedArtists)
  const videos = excluded.size === 0 ? all : all.filter(({ artist }) => !excluded.has(artist))
  if (videos.length === 0) return [`Every video of "${name}" is by an excluded artist.`]
  const maxMs =
    maxDurationMinutes?.strength === 'hard' ? maxDurationMinutes.value * MINUTE_MS : Number.POSITIVE_INFINITY
  const short = videos.filter(({ durationMs }) => durationMs <= maxMs)
  const [first] = short
  if (first === undefined)
    return [`Every video of "${name}" is longer than ${count(maxMs / MINUTE_MS, 'minute')}.`]
  const problems: string[] = []
  const totalMs = short.reduce((total, { durationMs }) => total + durationMs, 0)
  if (videoSeparationHours?.strength === 'hard' && totalMs < videoSeparationHours.value * HOUR_MS) {
    const needed = count(videoSeparationHours.value * 60, 'minute')
    const summary = `"${name}" has ${count(short.length, 'video')}, ${count(Math.floor(totalMs / MINUTE_MS), 'minute')} in total`
    problems.push(
      `${summary}; ${count(videoSeparationHours.value, 'hour')} between airings of a video need at least ${needed}.`,
    )
  }
  if (artistSeparationMinutes?.strength === 'hard' && short.every(({ artist }) => artist === first.artist)) {
    problems.push(
      `All videos of "${name}" are by one artist, so the time between videos of an artist cannot be kept.`,
    )
  }
  return problems
}

function emptySourceMessage(name: string, source: Source): string {
  if (source.kind === 'playlist') return `The playlist of "${name}" has no playable videos.`
  if (source.kind === 'video') return `The video of "${name}" is not in the library.`
  if (source.kind === 'airings') return `No video of "${name}" can be played any longer.`
  return `No video of the library matches "${name}".`
}

function count(value: number, noun: string): string {
  const rounded = Math.round(value * 100) / 100
  return `${rounded} ${noun}${rounded === 1 ? '' : 's'}`
}
