import { useState } from 'react'
import { paths } from '../../lib/paths.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { ModeratorPage } from '../admin/admin-gate.tsx'
import { CasesPanel } from './cases/cases-panel.tsx'
import { HeldPanel } from './held/held-panel.tsx'
import { WordListPanel } from './words/word-list-panel.tsx'

const TABS = [
  { id: 'reports', label: 'Reports', content: <CasesPanel /> },
  { id: 'held', label: 'Held messages', content: <HeldPanel /> },
  { id: 'words', label: 'Word list', content: <WordListPanel /> },
] as const

/** The moderation of the chat, for moderators, who have no access to the admin dashboard. */
export function ModerationPage() {
  const [tab, setTab] = useState<(typeof TABS)[number]['id']>('reports')
  return (
    <ModeratorPage
      title="Chat Moderation"
      path={paths.moderation()}
      permission="chat:moderate"
      refusal="Only moderators can moderate the chat."
    >
      <Tabs label="Chat moderation" tabs={[...TABS]} value={tab} onChange={setTab} listClassName="w-fit" />
    </ModeratorPage>
  )
}
