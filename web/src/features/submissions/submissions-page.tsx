import { paths } from '../../lib/paths.ts'
import { ModeratorPage } from '../admin/admin-gate.tsx'
import { SubmissionsPanel } from './submissions-panel.tsx'

/** The submissions page for moderators, who have no access to the admin dashboard. */
export function SubmissionsPage() {
  return (
    <ModeratorPage
      title="Submissions"
      isTitleHidden
      path={paths.submissions()}
      permission="submissions:review"
      refusal="Only moderators can review submissions."
    >
      <SubmissionsPanel />
    </ModeratorPage>
  )
}
