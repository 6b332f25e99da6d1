import type { VideoFilter } from '@looptide/contracts/http/video-filters'
import { sortOf } from '../sorts.ts'

/** What a filter shows: "“live” • Classics • tag rock • Title A-Z". */
export function filterText(filter: VideoFilter): string {
  const { text, category, tag } = filter
  const parts = [text && `“${text}”`, category, tag && `tag ${tag}`, sortOf(filter).label]
  return parts.filter(Boolean).join(' • ')
}

/** Whether two filters show the same videos in the same order. Tags compare without regard to case. */
export const isSameFilter = (a: VideoFilter, b: VideoFilter): boolean =>
  a.text === b.text && a.category === b.category && sortOf(a) === sortOf(b) && sameTag(a.tag, b.tag)

const sameTag = (a: string | null, b: string | null): boolean => a?.toLowerCase() === b?.toLowerCase()
