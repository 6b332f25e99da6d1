import { ConflictNotice } from '../../drafts/conflict-notice.tsx'
import { useLastEditor } from '../../shared/use-last-editor.ts'
import { ChangeList } from './change-list.tsx'
import type { ScheduleEditor } from './use-schedule-editor.ts'

/** Shows what another admin has changed in the draft while this editor has unsaved changes. */
export function ScheduleConflict(props: {
  channelId: string
  conflict: NonNullable<ScheduleEditor['conflict']>
}) {
  const { conflict } = props
  return (
    <ConflictNotice
      title="Another admin has changed this schedule."
      changedBy={useLastEditor('schedule.', props.channelId)}
      isBusy={false}
      onMerge={conflict.merge}
      onOverwrite={conflict.overwrite}
    >
      <ChangeList changes={conflict.changes} />
    </ConflictNotice>
  )
}
