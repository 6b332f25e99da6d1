import type { AuditEntry } from '@looptide/contracts/http/admin'

export type Facts = Record<string, unknown>

/** Whether a part of an audit entry has named values. */
export const isFacts = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `details`, `before` or `after` of an entry as an object; empty when the value is not an object. */
export const factsIn = (value: unknown): Facts => (isFacts(value) ? value : {})

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a value is a UUID, which is not shown to readers. */
export const isBareId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)

/** The first of these values that is a non-blank string. */
export const firstText = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value.trim() !== '')

/** The first of these values that is a readable name: a non-blank string that is not a UUID. */
export const firstName = (...values: unknown[]): string | undefined =>
  firstText(...values.filter((value) => !isBareId(value)))

/** Number of items that a stored list had. A truncated list ends with `{ leftOut }` (service-kit, `truncateJson`). */
function lengthOf(list: readonly unknown[]): number {
  const { leftOut } = factsIn(list.at(-1))
  return typeof leftOut === 'number' ? list.length - 1 + leftOut : list.length
}

/** The number of videos that an entry is about; for a single video also its id and title. */
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
    details?.videoId,
    entry.targetType === 'video' ? entry.targetId : null,
  )
  const title = firstText(factsIn(only).title, details?.videoTitle)
  return { count, ...(id && { id }), ...(title && { title }) }
}

/** Name of the actor of an entry without an admin, such as `Service key`. */
export function actorWithoutAccount(details: unknown): string {
  const by = firstText(factsIn(details).by)
  return by === undefined ? 'System' : `${by.charAt(0).toUpperCase()}${by.slice(1)}`
}
