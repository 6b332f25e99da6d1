import type { BulkFields, EditPreview } from '@looptide/contracts/http/video-edits'
import { videoCountText } from '../../admin/video-texts.ts'

type Change = EditPreview['changes'][number]
type Titles = NonNullable<EditPreview['titles']>

/** Number of old values of a field that are listed; the rest are summed up. */
const NAMED = 5

const LABELS: Record<Change['field'], string> = { artistName: 'Artist', genre: 'Genre', category: 'Category' }

/** What a field is after it was cleared. */
const CLEARED: Record<Change['field'], string> = {
  artistName: 'Unknown Artist',
  genre: 'none',
  category: 'none',
}

/** Describes an edit, one change per line: "Category: 12 videos from Pop to Classics". */
export function previewLines(preview: EditPreview, fields: BulkFields): string[] {
  return [...fieldLines(preview, fields), ...tagLines(preview), ...titleLines(preview.titles)]
}

const tagLines = ({ tags = [], fullCount = 0 }: EditPreview): string[] => [
  ...tags.map(({ tag, change, count }) =>
    change === 'added'
      ? `Tag ${tag}: added to ${videoCountText(count)}`
      : `Tag ${tag}: removed from ${videoCountText(count)}`,
  ),
  ...(fullCount > 0 ? [`Tags: not changed for ${videoCountText(fullCount)} with too many tags`] : []),
]

function titleLines(titles: Titles | undefined): string[] {
  if (titles === undefined) return []
  const { count, keptCount, examples } = titles
  const rest = count - examples.length
  return [
    ...examples.map(({ from, to }) => `Title: “${from}” becomes “${to}”`),
    ...(rest > 0 ? [`Title: changed for ${rest} more ${rest === 1 ? 'video' : 'videos'}`] : []),
    ...(keptCount > 0
      ? [`Title: not changed for ${videoCountText(keptCount)}, whose title would become empty or too long`]
      : []),
  ]
}

function fieldLines({ changes }: EditPreview, fields: BulkFields): string[] {
  return (Object.keys(LABELS) as Change['field'][]).flatMap((field) => {
    const to = fields[field] || CLEARED[field]
    const own = changes.filter((change) => change.field === field)
    const line = (count: number, from: string) =>
      `${LABELS[field]}: ${videoCountText(count)} from ${from} to ${to}`
    const rest = own.slice(NAMED)
    const restCount = rest.reduce((sum, { count }) => sum + count, 0)
    return [
      ...own.slice(0, NAMED).map(({ count, from }) => line(count, from || 'none')),
      ...(rest.length > 0
        ? [line(restCount, `${rest.length} other ${rest.length === 1 ? 'value' : 'values'}`)]
        : []),
    ]
  })
}
