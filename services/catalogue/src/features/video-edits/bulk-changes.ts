import {
  type BulkFields,
  type EditPreview,
  TITLE_EXAMPLES,
  type TitleReplacement,
} from '@looptide/contracts/http/video-edits'
import { textKey } from '@looptide/contracts/text'
import type { VideoRow } from '../../db/schema.ts'
import { cleanOrNull, TEXT_LIMITS } from '../videos/clean-text.ts'
import { cleanTags, missingTags, withTagChanges } from '../videos/tags.ts'
import type { BulkColumn, RowEdit } from './bulk-edit-repository.ts'
import { artistPatch } from './edit-service.ts'
import { replaceInTitle } from './replace-in-title.ts'

/** The row after a bulk edit. A video that would have too many tags keeps its tags; see also `replaceInTitle`. */
export const edited = (row: VideoRow, fields: BulkFields): VideoRow => ({
  ...row,
  ...titlePatch(row, fields),
  ...artistPatch(fields.artistName),
  ...(fields.genre === undefined ? {} : { genre: cleanOrNull(fields.genre, TEXT_LIMITS.genre) }),
  ...(fields.category === undefined ? {} : { category: fields.category }),
  tags: editedTags(row, fields) ?? row.tags,
})

function titlePatch(row: VideoRow, { replaceInTitle: replacement }: BulkFields): Partial<VideoRow> {
  const title = replacement && replaceInTitle(row.title, replacement)
  return title === undefined || title === row.title ? {} : { title, titleGiven: true }
}

const editsTags = ({ addTags, removeTags }: BulkFields): boolean =>
  addTags !== undefined || removeTags !== undefined

/** The tags of a video after the edit; undefined if there would be too many. */
function editedTags(row: VideoRow, fields: BulkFields): string[] | undefined {
  if (!editsTags(fields)) return row.tags
  const { addTags = [], removeTags = [] } = fields
  return withTagChanges(row.tags, { added: cleanTags(addTags), removed: cleanTags(removeTags) })
}

const COLUMNS: readonly BulkColumn[] = [
  ...(['title', 'titleGiven', 'artistName', 'artistGiven'] as const),
  ...(['genre', 'category', 'tags'] as const),
]

/** Whether an edit changes anything. */
export const isChange = ({ before, after }: RowEdit): boolean =>
  COLUMNS.some((column) => JSON.stringify(before[column]) !== JSON.stringify(after[column]))

/** The summary of a bulk edit for its preview. */
export const previewOf = (edits: readonly RowEdit[], fields: BulkFields): EditPreview => ({
  count: edits.filter(isChange).length,
  changes: fieldChanges(edits),
  ...(editsTags(fields) && {
    tags: [
      ...tagCounts(edits, 'added', ({ before, after }) => missingTags(after.tags, before.tags)),
      ...tagCounts(edits, 'removed', ({ before, after }) => missingTags(before.tags, after.tags)),
    ],
    fullCount: edits.filter(({ before }) => editedTags(before, fields) === undefined).length,
  }),
  ...(fields.replaceInTitle && { titles: titleChanges(edits, fields.replaceInTitle) }),
})

const FIELDS = ['artistName', 'genre', 'category'] as const

/** For each field, the number of videos that would change from each value, most frequent first. */
const fieldChanges = (edits: readonly RowEdit[]): EditPreview['changes'] =>
  FIELDS.flatMap((field) => {
    const changed = edits.filter(({ before, after }) => before[field] !== after[field])
    return [...Map.groupBy(changed, ({ before }) => before[field])]
      .map(([from, { length: count }]) => ({ field, from, count }))
      .sort((a, b) => b.count - a.count)
  })

function titleChanges(
  edits: readonly RowEdit[],
  replacement: TitleReplacement,
): NonNullable<EditPreview['titles']> {
  const changed = edits.filter(({ before, after }) => before.title !== after.title)
  return {
    count: changed.length,
    keptCount: edits.filter(({ before }) => replaceInTitle(before.title, replacement) === undefined).length,
    examples: changed
      .slice(0, TITLE_EXAMPLES)
      .map(({ before, after }) => ({ from: before.title, to: after.title })),
  }
}

/** The number of videos by tag, without case and in the spelling of the first one, most frequent first. */
function tagCounts(
  edits: readonly RowEdit[],
  change: 'added' | 'removed',
  tagsOf: (edit: RowEdit) => string[],
): NonNullable<EditPreview['tags']> {
  return [...Map.groupBy(edits.flatMap(tagsOf), textKey).values()]
    .map((tags) => ({ tag: tags[0] ?? '', change, count: tags.length }))
    .sort((a, b) => b.count - a.count)
}
