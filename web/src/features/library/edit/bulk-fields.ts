import type { BulkFields } from '@looptide/contracts/http/video-edits'
import type { Category } from '../../admin/categories.ts'
import { tagsOf } from '../tags/tag-text.ts'

/** A field of the bulk edit: a new value, an empty text for no change, or null to clear it. */
export type ClearableText = string | null

/** Values of the bulk edit. An empty category means no change. */
export interface BulkValues {
  artistName: ClearableText
  genre: ClearableText
  category: Category | ''
  /** Separated by commas. */
  addTags: string
  removeTags: string
  /** Replaced in titles by `titleWith`, unless it is blank. */
  titleText: string
  titleWith: string
}

export const NO_CHANGES: BulkValues = {
  ...{ artistName: '', genre: '', category: '', addTags: '', removeTags: '' },
  ...{ titleText: '', titleWith: '' },
}

/** The fields to change. A cleared field is sent as an empty text. */
export function bulkFieldsOf(values: BulkValues): BulkFields {
  const { artistName, genre, category, titleText, titleWith, ...tags } = values
  const fields: BulkFields = {}
  if (artistName === null) fields.artistName = ''
  else if (artistName.trim()) fields.artistName = artistName.trim()
  if (genre === null) fields.genre = ''
  else if (genre.trim()) fields.genre = genre.trim()
  if (category) fields.category = category
  const [addTags, removeTags] = [tagsOf(tags.addTags), tagsOf(tags.removeTags)]
  if (addTags.length > 0) fields.addTags = addTags
  if (removeTags.length > 0) fields.removeTags = removeTags
  if (titleText.trim()) fields.replaceInTitle = { text: titleText, with: titleWith }
  return fields
}
