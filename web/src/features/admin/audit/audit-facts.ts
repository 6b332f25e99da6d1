import type { AuditEntry } from '@looptide/contracts/http/admin'

export type Facts = Record<string, unknown>

export const isFacts = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `details`, `before` or `after` of an entry as an object; an empty one where it is something else. */
export const factsIn = (value: unknown): Facts => (isFacts(value) ? value : {})

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a value is an id that means nothing to a reader. */
export const isBareId = (value: unknown): boolean => typeof value === 'string' && UUID.test(value)

/** The first of these values that is a text with something in it. */
export const firstText = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value.trim() !== '')

/** The first of these values that a reader understands: a text that is no bare id. */
export const firstName = (...values: unknown[]): string | undefined =>
  firstText(...values.filter((value) => !isBareId(value)))

/** How many things a stored list stands for; a list that was cut ends with `{ leftOut }` (service-kit, `truncateJson`). */
function lengthOf(list: readonly unknown[]): number {
  const { leftOut } = factsIn(list.at(-1))
  return typeof leftOut === 'number' ? list.length - 1 + leftOut : list.length
}

/** The videos that an entry is about: how many, and the only one's id and title where it has just one. */
export function videosOf(
  entry: Pick<AuditEntry, 'details' | 'before' | 'after' | 'targetType' | 'targetId'>,
): {
  count: number
  id?: string
  title?: string
} {
  const [details, before, after] = [entry.details, entry.before, entry.after].map(factsIn)
  const list = [
    details?.videos,
    entry.before,
    entry.after,
    before?.videoIds,
    after?.videoIds,
    after?.ids,
    details?.ids,
  ].find((value): value is unknown[] => Array.isArray(value) && value.length > 0)
  const counted = [details?.count, details?.removed, before?.removed].find(
    (value): value is number => typeof value === 'number',
  )
  const count = counted ?? (list ? lengthOf(list) : 1)
  if (count !== 1) return { count }
  const only = list?.[0]
  const id = firstText(
    typeof only === 'string' ? only : factsIn(only).id,
    after?.videoId,
    before?.videoId,
    entry.targetType === 'video' ? entry.targetId : null,
  )
  const title = firstText(factsIn(only).title, details?.videoTitle)
  return { count, ...(id && { id }), ...(title && { title }) }
}
