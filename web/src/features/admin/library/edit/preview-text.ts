import type { BulkFields, EditPreview } from '@looptide/contracts/http/video-edits'
import { videoCountText } from '../../shared/count-text.ts'

type Change = EditPreview['changes'][number]

/** Number of old values of a field that are listed; the rest are summed up. */
const NAMED = 5

const LABELS: Record<Change['field'], string> = { artistName: 'Artist', genre: 'Genre', category: 'Category' }

/** What a field is after it was cleared. */
const CLEARED: Record<Change['field'], string> = {
  artistName: 'Unknown Artist',
  genre: 'none',
  category: 'none',
}

/** Adds up the previews of several requests. */
export function sumPreviews(previews: readonly EditPreview[]): EditPreview {
  const sums = new Map<string, Change>()
  for (const change of previews.flatMap(({ changes }) => changes)) {
    const key = JSON.stringify([change.field, change.from])
    sums.set(key, { ...change, count: change.count + (sums.get(key)?.count ?? 0) })
  }
  return {
    count: previews.reduce((sum, { count }) => sum + count, 0),
    changes: [...sums.values()].sort((a, b) => b.count - a.count),
  }
}

/** Describes an edit, one change per line: "Category: 12 videos from Pop to Classics". */
export function previewLines({ changes }: EditPreview, fields: BulkFields): string[] {
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
