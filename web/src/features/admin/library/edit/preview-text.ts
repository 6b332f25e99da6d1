import type { BulkFields, EditPreview } from '@looptide/contracts/http/video-edits'
import { countedVideos } from '../../desk/counted-videos.ts'

type Change = EditPreview['changes'][number]

/** Values of a field that are named one by one; the others are counted. */
const NAMED = 5

const LABELS: Record<Change['field'], string> = { artistName: 'Artist', genre: 'Genre', category: 'Category' }

/** The sum of the previews of several requests. */
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

/** What an edit changes, line by line: "Category: 12 videos from Pop to Classics". */
export function previewLines({ changes }: EditPreview, fields: BulkFields): string[] {
  return (Object.keys(LABELS) as Change['field'][]).flatMap((field) => {
    const to = fields[field]
    const own = changes.filter((change) => change.field === field)
    const line = (count: number, from: string) =>
      `${LABELS[field]}: ${countedVideos(count)} from ${from} to ${to}`
    const rest = own.slice(NAMED)
    const restCount = rest.reduce((sum, { count }) => sum + count, 0)
    return [
      ...own.slice(0, NAMED).map(({ count, from }) => line(count, from ?? 'none')),
      ...(rest.length > 0
        ? [line(restCount, `${rest.length} other ${rest.length === 1 ? 'value' : 'values'}`)]
        : []),
    ]
  })
}
