import type { ScheduleDocument } from '@looptide/contracts/schedule'
import type { LibraryVideo } from '@looptide/planner/library'
import { LocalDays } from '@looptide/planner/local-days'
import { AirHistory, effectiveRules, RuleCheck } from '@looptide/planner/rules'
import { itemsOf } from '@looptide/planner/source-items'
import type { ChannelRow, Store, StoredReason } from '../db/schema.ts'
import { loadItems } from '../schedule/loop-repository.ts'
import type { ScheduleReader } from '../schedule/schedule-reader.ts'
import type { CachedProgramme } from '../timeline/timeline-cache.ts'
import type { Candidate } from './rank-candidates.ts'

interface Sources {
  db: Store
  schedules: ScheduleReader
  fallbackMaxMs: number
}

/**
 * The playable videos of the source that a programme comes from: the channel's loop, or the source of its schedule. A
 * takeover has none, because its videos were chosen for this moment.
 */
export async function sourceCandidates(
  sources: Sources,
  channel: ChannelRow,
  { reason, startsAtMs }: CachedProgramme,
): Promise<readonly Candidate[]> {
  if (reason === null) return loadItems(sources.db, channel, sources.fallbackMaxMs)
  if (reason.takeover !== undefined) return []
  return scheduledCandidates(sources, channel, reason, startsAtMs)
}

/**
 * The videos of the schedule's source that its hard rules about videos allow: tag windows, excluded artists and videos,
 * maximum duration. If the source has only the replaced video, those of the default source.
 */
async function scheduledCandidates(
  { db, schedules }: Sources,
  channel: ChannelRow,
  reason: StoredReason,
  startsAtMs: number,
): Promise<readonly Candidate[]> {
  const document = await schedules.findDocument(db, channel, reason.version)
  if (document === undefined) return []
  for (const name of new Set([reason.source ?? document.defaultSource, document.defaultSource])) {
    const source = document.sources[name]
    if (source === undefined || source.kind === 'video' || source.kind === 'airings') continue
    const narrowed = { ...document, sources: { [name]: source } }
    const { library, playlists } = await schedules.material(db, channel, narrowed, reason.version)
    const playlist = source.kind === 'playlist' ? (playlists.get(source.channelId ?? '') ?? []) : []
    const items = itemsOf({ source, playlist, library: library.videos, nowMs: startsAtMs })
    const ids = new Set(items.map(({ videoId }) => videoId))
    const videos = library.videos.filter(({ id }) => ids.has(id))
    if (videos.length > 1) return allowed(videos, document, reason, startsAtMs)
  }
  return []
}

function allowed(
  videos: readonly LibraryVideo[],
  document: ScheduleDocument,
  reason: StoredReason,
  startsAtMs: number,
): Candidate[] {
  const history = new AirHistory(videos, new LocalDays(document.timeZone), [])
  const check = new RuleCheck(effectiveRules(document, rulesOf(document, reason)), history, startsAtMs)
  return videos
    .filter(({ id }) => check.breaches(id) !== undefined)
    .map(({ id, durationMs }) => ({ videoId: id, durationMs }))
}

/** The rules of the block or special that a programme belongs to. */
function rulesOf(document: ScheduleDocument, { blockId, specialId }: StoredReason) {
  const { blocks = [], overrides = [], specials = [] } = document
  if (specialId !== null) return specials.find(({ id }) => id === specialId)?.rules
  return [...blocks, ...overrides.flatMap((override) => override.blocks)].find(({ id }) => id === blockId)
    ?.rules
}
