import { type BulkFields, type EditPreview, TITLE_EXAMPLES } from '@looptide/contracts/http/video-edits'
import { textKey } from '@looptide/contracts/text'
import { videoCountText } from '../../admin/video-texts.ts'

type Change = EditPreview['changes'][number]
type TagChange = NonNullable<EditPreview['tags']>[number]
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
    ...(previews.some(({ tags }) => tags) && {
      tags: sumTags(previews.flatMap(({ tags = [] }) => tags)),
      fullCount: previews.reduce((sum, { fullCount = 0 }) => sum + fullCount, 0),
    }),
    ...(previews.some(({ titles }) => titles) && {
      titles: sumTitles(previews.flatMap(({ titles }) => titles ?? [])),
    }),
  }
}

function sumTags(all: readonly TagChange[]): TagChange[] {
  const sums = new Map<string, TagChange>()
  for (const each of all) {
    const key = `${each.change} ${textKey(each.tag)}`
    const known = sums.get(key)
    sums.set(key, known ? { ...known, count: known.count + each.count } : each)
  }
  return [...sums.values()]
}

const sumTitles = (all: readonly Titles[]): Titles => ({
  count: all.reduce((sum, { count }) => sum + count, 0),
  keptCount: all.reduce((sum, { keptCount }) => sum + keptCount, 0),
  examples: all.flatMap(({ examples }) => examples).slice(0, TITLE_EXAMPLES),
})

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
