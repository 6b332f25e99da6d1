import { PASSKEY_NAME_MAX } from '@looptide/contracts/credential-limits'
import { useState } from 'react'
import { authClient } from '../../../lib/clients.ts'
import { FIRST_NAMES } from '../../../lib/session/factor-devices.ts'
import { nameProblem } from '../../../lib/session/form-rules.ts'
import { useAccountForm } from '../../../lib/session/use-account-form.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { useTokenRevocation } from '../tokens/use-tokens.tsx'

/** The protocol allows names of factors 100 characters; a number may follow. */
const NAME_MAX = Math.min(PASSKEY_NAME_MAX, 90)

/** Adds a security key under a name. */
export function AddKeyDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const [name, setName] = useState<string>(FIRST_NAMES.key)
  const tokens = useTokenRevocation()
  const form = useAccountForm({
    failureTitle: 'Security Key Not Added',
    check: () => nameProblem(name),
    send: async () => {
      await authClient.addSecurityKey(name.trim())
      await tokens.revokeIfChosen()
      onAdded()
    },
  })
  return (
    <Dialog title="Add a Security Key" width="narrow" isOpen onClose={onClose}>
      <Form form={form}>
        <p className="text-sm text-muted">
          A security key is a small device that you connect by USB or hold to your phone, and touch. Your
          browser asks you for it next.
        </p>
        <TextField
          label="Name of the key"
          hint="To recognise it later. Adding a key signs out your other devices."
          autoComplete="off"
          maxLength={NAME_MAX}
          {...form.field('name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {tokens.field}
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} busyLabel="Waiting for your key...">
            Add Security Key
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
