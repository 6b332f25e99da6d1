import { type BulkFields, type EditPreview, TITLE_EXAMPLES } from '@looptide/contracts/http/video-edits'
import { JOB_BATCH } from '@looptide/contracts/http/video-jobs'
import { textKey } from '@looptide/contracts/text'
import type { Queries } from '../../db/schema.ts'
import { inLists } from '../videos/selected-ids.ts'
import { findVideos } from '../videos/video-repository.ts'
import { edited, previewOf } from './bulk-changes.ts'

type Change = EditPreview['changes'][number]
type TagChange = NonNullable<EditPreview['tags']>[number]
type Titles = NonNullable<EditPreview['titles']>

/** The changes that an edit of these videos would make. Reads the videos in batches. */
export async function previewEdit(
  db: Queries,
  ids: readonly string[],
  fields: BulkFields,
): Promise<EditPreview> {
  const previews: EditPreview[] = []
  for (const list of inLists(ids, JOB_BATCH)) {
    const rows = (await findVideos(db, list)).filter((row) => row.reviewState === null)
    previews.push(
      previewOf(
        rows.map((before) => ({ before, after: edited(before, fields) })),
        fields,
      ),
    )
  }
  return sumPreviews(previews)
}

/** Adds up the previews of several batches. */
export function sumPreviews(previews: readonly EditPreview[]): EditPreview {
  const sums = new Map<string, Change>()
  for (const change of previews.flatMap(({ changes }) => changes)) {
    const key = JSON.stringify([change.field, change.from])
    sums.set(key, { ...change, count: change.count + (sums.get(key)?.count ?? 0) })
  }
  return {
    count: previews.reduce((sum, { count }) => sum + count, 0),
    changes: [...sums.values()].sort(byFieldThenCount),
    ...(previews.some(({ tags }) => tags) && {
      tags: sumTags(previews.flatMap(({ tags = [] }) => tags)),
      fullCount: previews.reduce((sum, { fullCount = 0 }) => sum + fullCount, 0),
    }),
    ...(previews.some(({ titles }) => titles) && {
      titles: sumTitles(previews.flatMap(({ titles }) => titles ?? [])),
    }),
  }
}

const FIELDS: readonly Change['field'][] = ['artistName', 'genre', 'category']
const byFieldThenCount = (a: Change, b: Change): number =>
  FIELDS.indexOf(a.field) - FIELDS.indexOf(b.field) || b.count - a.count

function sumTags(all: readonly TagChange[]): TagChange[] {
  const sums = new Map<string, TagChange>()
  for (const each of all) {
    const key = `${each.change} ${textKey(each.tag)}`
    const known = sums.get(key)
    sums.set(key, known ? { ...known, count: known.count + each.count } : each)
  }
  return [...sums.values()].sort((a, b) => a.change.localeCompare(b.change) || b.count - a.count)
}

const sumTitles = (all: readonly Titles[]): Titles => ({
  count: all.reduce((sum, { count }) => sum + count, 0),
  keptCount: all.reduce((sum, { keptCount }) => sum + keptCount, 0),
  examples: all.flatMap(({ examples }) => examples).slice(0, TITLE_EXAMPLES),
})
