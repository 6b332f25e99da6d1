import { ConflictNotice } from '../../admin/drafts/conflict-notice.tsx'
import { useEditorName } from '../../audit/api.ts'
import { ChangeList } from './change-list.tsx'
import type { ScheduleEditor } from './use-schedule-editor.ts'

/** Shows what another admin has changed in the draft while this editor has unsaved changes. */
export function ScheduleConflict({ conflict }: { conflict: NonNullable<ScheduleEditor['conflict']> }) {
  return (
    <ConflictNotice
      title="Another admin has changed this schedule."
      changedBy={useEditorName(conflict.savedBy)}
      isBusy={false}
      onMerge={conflict.merge}
      onOverwrite={conflict.overwrite}
    >
      <ChangeList changes={conflict.changes} />
    </ConflictNotice>
  )
}
