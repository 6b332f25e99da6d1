import type { Me } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { ApiError } from '../../lib/api/api-error.ts'
import { authClient } from '../../lib/clients.ts'
import { failureText } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { codeOf, type Problem } from '../../lib/session/form-rules.ts'
import { signedInByEmail } from '../../lib/session/token-claims.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { deleteAccount } from './api.ts'

/**
 * Confirms the deletion of the account. The user must type the handle and prove the identity with the password or, if
 * the account has none, with an emailed code.
 */
export function DeleteDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const name = me.profile.handle ?? me.email
  const [typed, setTyped] = useState('')
  const [proof, setProof] = useState('')
  const [isCodeSent, setCodeSent] = useState(false)
  const [deleteMessages, setDeleteMessages] = useState(false)
  const navigate = useNavigate()
  const email = me.email
  const needsCode = email !== null && !me.hasPassword && !isFreshlyMailed()
  const isNamed = typed.trim() === name

  const form = useForm({
    check: () => {
      if (!isNamed) return { field: 'name', description: `Please type ${name}` }
      return proofProblem(proof, { hasPassword: me.hasPassword, needsCode })
    },
    send: async () => {
      if (needsCode) await authClient.verifyCode(email, codeOf(proof) ?? '')
      await deleteAccount({ deleteMessages, ...(me.hasPassword && { password: proof }) })
      void navigate(paths.root(), { replace: true })
    },
    onFailure: (failure, point) =>
      point({ field: 'proof', description: refusalText(failure, me.hasPassword) }),
  })

  return (
    <Dialog
      title="Delete Account"
      description="This cannot be undone. You will be signed out on all devices."
      width="narrow"
      isOpen
      onClose={onClose}
    >
      <Form form={form}>
        <TextField
          label={`Type ${name} to confirm`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('name')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {me.hasPassword && (
          <PasswordField
            label="Password"
            autoComplete="current-password"
            {...form.field('proof')}
            value={proof}
            onChange={(event) => setProof(event.target.value)}
          />
        )}
        {needsCode && !isCodeSent && <SendCode email={email} onSent={() => setCodeSent(true)} />}
        {needsCode && isCodeSent && (
          <TextField
            label="Code from the email"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            {...form.field('proof')}
            value={proof}
            onChange={(event) => setProof(event.target.value)}
          />
        )}
        {email !== null && (
          <label className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-primary"
              checked={deleteMessages}
              onChange={({ target }) => setDeleteMessages(target.checked)}
            />
            Delete my chat messages too
          </label>
        )}
        <DialogActions cancelLabel="Keep My Account" onCancel={onClose}>
          <SubmitButton
            form={form}
            tone="danger"
            busyLabel="Deleting..."
            disabled={!isNamed || (needsCode && !isCodeSent)}
          >
            Delete My Account
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** Emails the code that proves the identity of an account without a password. */
function SendCode({ email, onSent }: { email: string; onSent: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const send = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await authClient.sendMagicLink(email, '')
      onSent()
    } catch (failure) {
      setError(refusalText(failure, false))
      setBusy(false)
    }
  }
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-sm text-muted">Your account has no password. We will email you a code instead.</p>
      <Button onClick={() => void send()}>Send Code</Button>
      {error && (
        <p role="alert" className="text-sm font-medium">
          {error}
        </p>
      )}
    </div>
  )
}

function proofProblem(
  proof: string,
  { hasPassword, needsCode }: { hasPassword: boolean; needsCode: boolean },
): Problem | undefined {
  if (hasPassword && proof === '') return { field: 'proof', description: 'Please enter your password' }
  if (needsCode && !codeOf(proof)) {
    return { field: 'proof', description: 'Enter the 6-digit code from the email' }
  }
  return undefined
}

/** Auth accepts a sign-in by email as proof for ten minutes; one minute less leaves time to confirm. */
const FRESH_MS = 9 * 60_000

function isFreshlyMailed(): boolean {
  const state = authClient.state()
  return state.status === 'signed-in' && signedInByEmail(state.session.access_token, Date.now(), FRESH_MS)
}

function refusalText(failure: unknown, hasPassword: boolean): string {
  const isRefused = failure instanceof ApiError && failure.code === 'forbidden'
  if (isRefused && hasPassword) return 'Wrong password'
  return failureText(failure, 'Failed to delete your account.')
}
