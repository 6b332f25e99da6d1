import { ChatDecisions } from './chat-decisions.tsx'
import { DeleteSection } from './delete-section.tsx'
import { ExportSection } from './export/export-section.tsx'
import { ProfilePage, useProfileUser } from './profile-frame.tsx'
import { SettingsSection } from './settings-section.tsx'

/** What the station stores about the user: to download, and to delete. */
export function DataPage() {
  const me = useProfileUser()
  return (
    <ProfilePage title="Your data" text="A copy of what the station stores about you, and the end of it.">
      <SettingsSection title="Download" text="Everything that the station stores about you, in one file.">
        <ExportSection />
      </SettingsSection>
      <ChatDecisions />
      <SettingsSection title="Delete account" text="Permanently, on all devices.">
        <DeleteSection me={me} />
      </SettingsSection>
    </ProfilePage>
  )
}
