import type { EditVideoBody } from '@looptide/contracts/http/video-edits'
import { auditEvent } from '@looptide/service-kit/audit/audit'
import { appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { CatalogueDb, VideoRow } from '../../db/schema.ts'
import { cleanOrNull, cleanText, TEXT_LIMITS } from '../videos/clean-text.ts'
import { PLACEHOLDER } from '../videos/new-videos.ts'
import { cleanTags } from '../videos/tags.ts'
import { checkTrimPoints } from '../videos/trim-points.ts'
import { noSuchVideo, notAccepted } from '../videos/video-errors.ts'
import { AUDIT, HOME_CHANGED, updatedEvents } from '../videos/video-events.ts'
import { lockVideo, patchVideo, type VideoPatch } from '../videos/video-repository.ts'
import { thumbnailUrl } from '../videos/video-url.ts'
import { allowedPicture } from './allowed-picture.ts'
import { editableFields } from './video-etag.ts'

/** Edits single videos. Every change is audited and published. */
export class EditService {
  readonly #db: CatalogueDb
  readonly #imageOrigins: readonly string[]

  constructor(db: CatalogueDb, imageOrigins: readonly string[]) {
    this.#db = db
    this.#imageOrigins = imageOrigins
  }

  /**
   * Edits a video and returns its row. `check` receives the locked current row and throws to reject the edit. Throws
   * `not_found`, `conflict` for a video under review, and `validation_failed` for a blank title, a thumbnail of an
   * origin that is not allowed, or trim points that leave less than a second.
   */
  async edit(
    id: string,
    body: EditVideoBody,
    check: (row: VideoRow) => void,
    cause: Cause,
  ): Promise<VideoRow> {
    return this.#db.transaction().execute(async (trx) => {
      const row = await lockVideo(trx, id)
      if (row === undefined) throw noSuchVideo()
      if (row.reviewState !== null) throw notAccepted()
      check(row)
      const patch = {
        ...titlePatch(body.title),
        ...artistPatch(body.artistName),
        ...(body.genre === undefined ? {} : { genre: cleanOrNull(body.genre, TEXT_LIMITS.genre) }),
        ...(body.category === undefined ? {} : { category: body.category }),
        ...this.#thumbnailPatch(row, body.thumbnailUrl),
        ...(body.tags === undefined ? {} : { tags: cleanTags(body.tags) }),
        ...trimPatch(row, body),
      }
      const after = await patchVideo(trx, id, patch)
      const changed = changedFields(row, after)
      if (changed.length === 0) return after
      const pick = (from: VideoRow) => Object.fromEntries(changed.map((field) => [field, from[field]]))
      const facts = {
        action: 'video.edit',
        targetType: 'video',
        targetId: id,
        before: pick(row),
        after: pick(after),
        details: { videos: [{ id, title: after.title }] },
      } as const
      await appendEvents(trx, [...updatedEvents([after]), HOME_CHANGED, auditEvent(AUDIT, facts)], cause)
      return after
    })
  }

  #thumbnailPatch(row: VideoRow, text: string | null | undefined): VideoPatch {
    if (text === undefined) return {}
    if (text === null) {
      const defaultUrl = row.youtubeId === null ? null : thumbnailUrl(row.youtubeId)
      return { thumbnailUrl: defaultUrl, thumbnailGiven: false }
    }
    const allowed = allowedPicture(text.trim(), this.#imageOrigins)
    if (allowed === null) {
      throw errors.validation('Pictures are not allowed from this address.', [
        { path: '/thumbnailUrl', message: 'must be a URL of YouTube, of this site or of an allowed origin' },
      ])
    }
    return { thumbnailUrl: allowed, thumbnailGiven: true }
  }
}

function titlePatch(text: string | undefined): VideoPatch {
  if (text === undefined) return {}
  const title = cleanText(text, TEXT_LIMITS.title)
  if (title === '') throw errors.validation('Enter a title.', [{ path: '/title', message: 'is blank' }])
  return { title, titleGiven: true }
}

function trimPatch(row: VideoRow, body: EditVideoBody): VideoPatch {
  if (body.startAtMs === undefined && body.endAtMs === undefined) return {}
  const { startAtMs = row.startAtMs, endAtMs = row.endAtMs } = body
  checkTrimPoints({ ...row, startAtMs, endAtMs })
  return { startAtMs, endAtMs }
}

/** The columns for an artist entered by a user. A blank artist becomes the placeholder, which metadata may replace. */
export function artistPatch(text: string | undefined): Partial<Pick<VideoRow, 'artistName' | 'artistGiven'>> {
  if (text === undefined) return {}
  const artist = cleanText(text, TEXT_LIMITS.artistName)
  const isKnown = artist !== '' && artist !== PLACEHOLDER.artistName
  return { artistName: isKnown ? artist : PLACEHOLDER.artistName, artistGiven: isKnown }
}

function changedFields(before: VideoRow, after: VideoRow) {
  const [from, to] = [editableFields(before), editableFields(after)]
  return (Object.keys(from) as (keyof typeof from)[]).filter(
    (field) => JSON.stringify(from[field]) !== JSON.stringify(to[field]),
  )
}
