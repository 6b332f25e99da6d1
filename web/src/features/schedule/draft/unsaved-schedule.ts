import type { ScheduleDraftDocument } from '@looptide/contracts/http/schedules'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { paths } from '../../../lib/paths.ts'
import { drafts } from '../../admin/drafts/account-drafts.ts'

/** Changes that are not saved yet, with the saved draft on which they are based. */
export interface UnsavedSchedule {
  base: ScheduleDraftDocument | null
  /** Version of `base`. */
  etag: string
  document: ScheduleDocument
}

const PREFIX = 'schedule:'

export const unsavedKey = (channelId: string): string => PREFIX + channelId
export const channelOf = (key: string): string => key.slice(PREFIX.length)

/** Whether a stored value can be read by this release. */
export function isUnsavedSchedule(value: unknown): value is UnsavedSchedule {
  if (typeof value !== 'object' || value === null) return false
  const { etag, document } = value as Partial<UnsavedSchedule>
  return (
    typeof etag === 'string' && typeof document === 'object' && document !== null && 'sources' in document
  )
}

/** The unsaved changes of a channel at this moment. */
export function findUnsaved(channelId: string): UnsavedSchedule | undefined {
  const value = drafts.find(unsavedKey(channelId))?.value
  return isUnsavedSchedule(value) ? value : undefined
}

export function putUnsaved(channelId: string, channelName: string, value: UnsavedSchedule): void {
  drafts.put({
    key: unsavedKey(channelId),
    kind: 'schedule',
    label: `${channelName} schedule`,
    path: paths.schedule({ channel: channelId }),
    value,
  })
}
