import type { PreviewProgramme, ScheduleReason } from '@looptide/contracts/http/schedules'
import type { IdentKind } from '@looptide/contracts/schedule'
import type { Store, StoredReason } from '../db/schema.ts'
import { type VideoText, videoTexts } from '../library/video-repository.ts'
import type { PlannedProgramme } from '../timeline/programming.ts'

/** A programme of the timeline, of a plan that would be stored, or of a preview. */
type Previewed = Pick<PlannedProgramme, 'kind' | 'videoId' | 'startsAtMs' | 'endsAtMs'> & {
  ident?: IdentKind | null
  isCutShort?: boolean
  reason:
    | (ScheduleReason & Partial<Pick<StoredReason, 'ident' | 'cut' | 'version' | 'edit' | 'request'>>)
    | null
}

/** The reason of a programme that a loop has planned. */
const NO_REASON: NonNullable<Previewed['reason']> = {
  blockId: null,
  specialId: null,
  slot: null,
  source: null,
  number: null,
  count: null,
  relaxed: [],
}

/** Titles and artists of the previewed videos, by video id. */
export function previewTexts(
  db: Store,
  programmes: readonly Pick<Previewed, 'videoId'>[],
): Promise<Map<string, VideoText>> {
  return videoTexts(db, [...new Set(programmes.flatMap(({ videoId }) => videoId ?? []))])
}

/** A previewed programme with the reason for which it was planned. */
export function presentPreview(
  { kind, videoId, startsAtMs, endsAtMs, reason, ...own }: Previewed,
  texts: ReadonlyMap<string, VideoText>,
): PreviewProgramme {
  const { version: _version, edit: _edit, request: _request, ident, cut, ...rest } = reason ?? NO_REASON
  const text = texts.get(videoId ?? '')
  return {
    startsAt: new Date(startsAtMs).toISOString(),
    endsAt: new Date(endsAtMs).toISOString(),
    kind,
    ident: own.ident ?? ident ?? null,
    videoId,
    title: text?.title ?? null,
    artistName: text?.artistName ?? null,
    cut: own.isCutShort ?? cut ?? false,
    reason: rest,
  }
}
