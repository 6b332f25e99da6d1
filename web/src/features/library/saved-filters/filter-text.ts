import type { VideoFilter } from '@looptide/contracts/http/video-filters'
import { SORTS } from '../sorts.ts'

/** What a filter shows: "“live” • Classics • tag rock • Title A-Z". */
export function filterText({ text, category, tag, sort }: VideoFilter): string {
  const order = SORTS.find(({ value }) => value === sort)?.label
  const parts = [text && `“${text}”`, category, tag && `tag ${tag}`, order]
  return parts.filter(Boolean).join(' • ')
}

/** Whether two filters show the same videos. Tags compare without regard to case. */
export const isSameFilter = (a: VideoFilter, b: VideoFilter): boolean =>
  a.text === b.text && a.category === b.category && a.sort === b.sort && sameTag(a.tag, b.tag)

const sameTag = (a: string | null, b: string | null): boolean => a?.toLowerCase() === b?.toLowerCase()
