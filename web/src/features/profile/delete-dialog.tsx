import type { Me } from '@looptide/contracts/http/users'
import { type SubmitEvent, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { authClient } from '../../lib/clients.ts'
import { signedInByEmail } from '../../lib/session/token-claims.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { codeOf } from '../sign-in/form-rules.ts'
import { deleteAccount } from './api.ts'
import { failureText } from './failure-text.ts'

type Faults = { name?: string; proof?: string }

/**
 * Confirms the deletion of the account. The user must type the handle and prove the identity with the password or, if
 * the account has none, with an emailed code.
 */
export function DeleteDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const name = me.profile.handle ?? me.email
  const [typed, setTyped] = useState('')
  const [proof, setProof] = useState('')
  const [isCodeSent, setCodeSent] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const needsCode = !me.hasPassword && !isFreshlyMailed()

  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
    } catch (failure) {
      setFaults({ proof: proofFault(failure, me.hasPassword) })
    } finally {
      setBusy(false)
    }
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (typed.trim() !== name) return setFaults({ name: `Please type ${name}` })
    if (me.hasPassword && proof === '') return setFaults({ proof: 'Please enter your password' })
    if (needsCode && !codeOf(proof)) return setFaults({ proof: 'Enter the 6-digit code from the email' })
    await attempt(async () => {
      if (needsCode) await authClient.verifyCode(me.email, codeOf(proof) ?? '')
      await deleteAccount(me.hasPassword ? proof : undefined)
      void navigate(paths.root(), { replace: true })
    })
  }
  const sendCode = () =>
    attempt(async () => {
      await authClient.sendMagicLink(me.email, '')
      setCodeSent(true)
      setFaults({})
    })

  return (
    <Dialog
      title="Delete Account"
      description="This cannot be undone. You will be signed out on all devices."
      width="narrow"
      isOpen
      onClose={onClose}
    >
      <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
        <TextField
          label={`Type ${name} to confirm`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={faults.name}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setFaults({})
          }}
        />
        {me.hasPassword && (
          <PasswordField
            label="Password"
            autoComplete="current-password"
            error={faults.proof}
            value={proof}
            onChange={(event) => {
              setProof(event.target.value)
              setFaults({})
            }}
          />
        )}
        {needsCode && !isCodeSent && (
          <div className="grid justify-items-start gap-2">
            <p className="text-sm text-muted">
              Your account has no password. We will email you a code instead.
            </p>
            <Button onClick={() => void sendCode()}>Send Code</Button>
            {faults.proof && (
              <p role="alert" className="text-sm font-medium">
                {faults.proof}
              </p>
            )}
          </div>
        )}
        {needsCode && isCodeSent && (
          <TextField
            label="Code from the email"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            error={faults.proof}
            value={proof}
            onChange={(event) => {
              setProof(event.target.value)
              setFaults({})
            }}
          />
        )}
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button onClick={onClose}>Keep My Account</Button>
          <Button
            type="submit"
            tone="danger"
            disabled={typed.trim() !== name || (needsCode && !isCodeSent)}
            aria-disabled={isBusy}
          >
            {isBusy ? 'Deleting...' : 'Delete My Account'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** A sign-in by mail counts as fresh for ten minutes; a little less is promised here. */
const FRESH_MS = 9 * 60_000

function isFreshlyMailed(): boolean {
  const state = authClient.state()
  return state.status === 'signed-in' && signedInByEmail(state.session.access_token, Date.now(), FRESH_MS)
}

function proofFault(failure: unknown, hasPassword: boolean): string {
  const isRefused = failure instanceof ApiError && failure.code === 'forbidden'
  if (isRefused && hasPassword) return 'Wrong password'
  return failureText(failure, 'Failed to delete your account.')
}
