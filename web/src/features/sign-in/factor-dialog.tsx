import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { factorPrompt } from '../../lib/session/factor-prompt.ts'
import { codeOf } from '../../lib/session/form-rules.ts'
import { useAccountForm } from '../../lib/session/use-account-form.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'

/** Asks for a code when an action needs a second factor that was verified recently; then the action is repeated. */
export function FactorDialog() {
  const [code, setCode] = useState('')
  const cancel = () => factorPrompt.close(false)
  const form = useAccountForm({
    failureTitle: 'Not Confirmed',
    check: () =>
      codeOf(code) ? undefined : { field: 'code', description: 'Enter the 6-digit code of the app' },
    send: async () => {
      await authClient.verifyFactor(codeOf(code) ?? '')
      factorPrompt.close(true)
    },
    fieldOfCode: { mfa_verification_failed: 'code' },
  })
  return (
    <Dialog
      title="Confirm It’s You"
      description="This action needs a code of your authenticator app."
      width="narrow"
      isOpen
      onClose={cancel}
    >
      <Form form={form}>
        <TextField
          label="6-digit code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          {...form.field('code')}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <DialogActions onCancel={cancel}>
          <SubmitButton form={form} busyLabel="Checking...">
            Confirm
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
