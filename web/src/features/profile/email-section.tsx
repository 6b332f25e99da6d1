import type { Me } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { dialogPart } from '../../lib/browser/part.tsx'
import { Button } from '../../ui/button.tsx'
import { PendingEmailChange } from './pending-email-change.tsx'

const ChangeEmailDialog = dialogPart(
  async () => (await import('./change-email-dialog.tsx')).ChangeEmailDialog,
)

/** The user's email address, and its change, which both addresses must confirm. */
export function EmailSection({ me }: { me: Me }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <p className="text-sm text-muted">
        Signed in as <strong className="wrap-anywhere text-text">{me.email}</strong>
      </p>
      {me.emailChange ? (
        <PendingEmailChange me={me} change={me.emailChange} />
      ) : (
        <Button className="justify-self-start" onClick={() => setOpen(true)}>
          Change Email
        </Button>
      )}
      {isOpen && <ChangeEmailDialog me={me} onClose={() => setOpen(false)} />}
    </>
  )
}
