import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { codeOf } from '../../lib/session/form-rules.ts'
import { proofPrompt } from '../../lib/session/proof-prompt.ts'
import { useAccountForm } from '../../lib/session/use-account-form.ts'
import { useFactorDevices } from '../../lib/session/use-factor-devices.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { SecurityKeyButtons } from './security-key-buttons.tsx'

const cancel = () => proofPrompt.close(false)

/** Asks for the second factor when an action needs one that was verified recently; then the action is repeated. */
export function FactorDialog() {
  const devices = useFactorDevices()
  const keys = devices.filter(({ kind }) => kind === 'key')
  const hasApp = keys.length === 0 || devices.some(({ kind }) => kind === 'app')
  const needed = !hasApp
    ? 'your security key'
    : keys.length === 0
      ? 'a code from your authenticator app'
      : 'a code from your authenticator app, or your security key'
  return (
    <Dialog
      title="Confirm It’s You"
      description={`This action needs ${needed}.`}
      width="narrow"
      isOpen
      onClose={cancel}
    >
      <div className="grid gap-6">
        {keys.length > 0 && (
          <SecurityKeyButtons
            keys={keys}
            failureTitle="Not Confirmed"
            onVerified={() => proofPrompt.close(true)}
          />
        )}
        {hasApp && <CodeForm />}
      </div>
    </Dialog>
  )
}

function CodeForm() {
  const [code, setCode] = useState('')
  const form = useAccountForm({
    failureTitle: 'Not Confirmed',
    check: () =>
      codeOf(code) ? undefined : { field: 'code', description: 'Enter the 6-digit code of the app' },
    send: async () => {
      await authClient.verifyFactor(codeOf(code) ?? '')
      proofPrompt.close(true)
    },
    fieldOfCode: { mfa_verification_failed: 'code' },
  })
  return (
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
  )
}
