import type { Me } from '@looptide/contracts/http/users'
import { Dialog } from '../../ui/dialog.tsx'
import { EmailForm } from './email-form.tsx'

/** Asks for the new email address of an account. */
export function ChangeEmailDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  return (
    <Dialog title="Change Email" width="narrow" isOpen onClose={onClose}>
      <EmailForm me={me} onSent={onClose} />
    </Dialog>
  )
}
