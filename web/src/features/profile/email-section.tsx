import type { Me } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { dialogPart } from '../../lib/browser/part.tsx'
import { Button } from '../../ui/button.tsx'
import { PendingEmailChange } from './pending-email-change.tsx'
import { SettingsSection } from './settings-section.tsx'

const ChangeEmailDialog = dialogPart(
  async () => (await import('./change-email-dialog.tsx')).ChangeEmailDialog,
)

/** The user's email address, and its change, which both addresses must confirm. */
export function EmailSection({ me }: { me: Me }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingsSection
      title="Email address"
      text="Used for sign-in links and codes. Not visible to others."
      action={!me.emailChange && <Button onClick={() => setOpen(true)}>Change Email</Button>}
    >
      <p className="text-sm text-muted">
        Signed in as <strong className="wrap-anywhere text-text">{me.email}</strong>
      </p>
      {me.emailChange && <PendingEmailChange me={me} change={me.emailChange} />}
      {isOpen && <ChangeEmailDialog me={me} onClose={() => setOpen(false)} />}
    </SettingsSection>
  )
}
