import { paths } from '../../lib/paths.ts'
import { ModeratorPage } from '../admin/admin-gate.tsx'
import { WordListPanel } from './words/word-list-panel.tsx'

/** The moderation of the chat, for moderators, who have no access to the admin dashboard. */
export function ModerationPage() {
  return (
    <ModeratorPage
      title="Chat Moderation"
      path={paths.moderation()}
      permission="chat:moderate"
      refusal="Only moderators can moderate the chat."
    >
      <WordListPanel />
    </ModeratorPage>
  )
}
