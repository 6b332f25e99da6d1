import type { EditVideoBody } from '@looptide/contracts/http/video-edits'
import type { Video } from '@looptide/contracts/http/videos'
import { asciiDigits, withoutFormat } from '@looptide/contracts/typed-text'
import { formatPosition, parsePosition } from '@looptide/playhead/duration'
import { CATEGORIES, PLAYLIST_CATEGORY } from '../../admin/categories.ts'
import { tagsOf, tagText } from '../tags/tag-text.ts'

/** Form values of a video. An empty text means no value. */
export interface VideoFields {
  title: string
  artistName: string
  genre: string
  category: string
  thumbnailUrl: string
  /** Separated by commas. */
  tags: string
  /** Positions as "m:ss.mmm"; an empty text is the start or end of the media. */
  startAt: string
  endAt: string
}

export const FIELD_LABELS: Record<keyof VideoFields, string> = {
  title: 'Title',
  artistName: 'Artist',
  genre: 'Genre',
  category: 'Category',
  thumbnailUrl: 'Thumbnail URL',
  tags: 'Tags',
  startAt: 'Start',
  endAt: 'End',
}

const FIELDS = Object.keys(FIELD_LABELS) as (keyof VideoFields)[]
const KNOWN_CATEGORIES = [...CATEGORIES, PLAYLIST_CATEGORY]

/** The fields of the form for a video, as texts. */
export const fieldsOf = (video: Video): VideoFields => ({
  title: video.title,
  artistName: video.artistName,
  genre: video.genre ?? '',
  category: video.category ?? '',
  thumbnailUrl: video.thumbnailUrl ?? '',
  tags: tagText(video.tags),
  startAt: video.startAtMs === 0 ? '' : formatPosition(video.startAtMs),
  endAt: video.endAtMs === null ? '' : formatPosition(video.endAtMs),
})

/** The milliseconds of a typed position, in digits of any script; undefined for anything else. */
export const typedPosition = (text: string): number | undefined =>
  parsePosition(asciiDigits(withoutFormat(text)))

/** The fields in which two versions differ. */
export const differingFields = (a: VideoFields, b: VideoFields): (keyof VideoFields)[] =>
  FIELDS.filter((field) => a[field] !== b[field])

/** The request body with the changed fields; undefined if nothing differs from `base`. */
export function editBody(base: VideoFields, form: VideoFields): EditVideoBody | undefined {
  const trimmed = { ...form }
  for (const field of FIELDS) trimmed[field] = form[field].trim()
  const changed = differingFields(base, trimmed)
  if (changed.length === 0) return undefined
  const body: EditVideoBody = {}
  for (const field of changed) {
    if (field === 'category') {
      const category = KNOWN_CATEGORIES.find((known) => known === trimmed.category)
      if (category) body.category = category
    } else if (field === 'thumbnailUrl') body.thumbnailUrl = trimmed.thumbnailUrl || null
    else if (field === 'tags') body.tags = tagsOf(trimmed.tags)
    else if (field === 'startAt') body.startAtMs = typedPosition(trimmed.startAt) ?? 0
    else if (field === 'endAt') body.endAtMs = typedPosition(trimmed.endAt) ?? null
    else body[field] = trimmed[field]
  }
  return body
}

/**
 * Three-way merge of the form after another admin changed the video from `base` to `latest`: edited fields are kept,
 * the others are taken from `latest`. `conflicts` are the fields that both changed to different values.
 */
export function mergeFields(
  base: VideoFields,
  form: VideoFields,
  latest: VideoFields,
): { values: VideoFields; theirs: (keyof VideoFields)[]; conflicts: (keyof VideoFields)[] } {
  const own = differingFields(base, form)
  const theirs = differingFields(base, latest)
  const merged = { ...latest, ...Object.fromEntries(own.map((field) => [field, form[field]])) }
  return { values: merged, theirs, conflicts: theirs.filter((field) => merged[field] !== latest[field]) }
}
