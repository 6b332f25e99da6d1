import { useState } from 'react'
import { api, authClient } from '../../lib/clients.ts'
import { codeOf } from '../../lib/session/form-rules.ts'
import { proofPrompt } from '../../lib/session/proof-prompt.ts'
import { useSession } from '../../lib/session/session.tsx'
import { sessionIdOf } from '../../lib/session/token-claims.ts'
import { useAccountForm } from '../../lib/session/use-account-form.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

const cancel = () => proofPrompt.close(false)

/**
 * Asks for the password or, of an account without one, for an emailed code, when an action needs a recent sign-in; then
 * the action is repeated.
 */
export function SignInAgainDialog() {
  const { me, email } = useSession()
  const hasPassword = me?.hasPassword === true
  return (
    <Dialog
      title="Confirm It’s You"
      description={
        hasPassword
          ? 'You signed in a while ago. Enter your password to continue.'
          : 'You signed in a while ago. We will email you a code to continue.'
      }
      width="narrow"
      isOpen
      onClose={cancel}
    >
      {hasPassword ? <PasswordForm email={email ?? ''} /> : <CodeForm email={email ?? ''} />}
    </Dialog>
  )
}

/** Signs in, and ends the session that this replaces in the browser. */
async function signInAgain(signIn: () => Promise<void>): Promise<void> {
  const state = authClient.state()
  const former = state.status === 'signed-in' ? sessionIdOf(state.session.access_token) : undefined
  await signIn()
  proofPrompt.close(true)
  if (former === undefined) return
  // It would expire anyway: a failure does not concern the action.
  await api
    .call('DELETE /api/me/sessions/:sessionId', { params: { sessionId: former } })
    .catch(() => undefined)
}

function PasswordForm({ email }: { email: string }) {
  const [password, setPassword] = useState('')
  const form = useAccountForm({
    failureTitle: 'Not Confirmed',
    check: () =>
      password === '' ? { field: 'password', description: 'Please enter your password' } : undefined,
    send: () => signInAgain(() => authClient.signIn(email, password)),
    fieldOfCode: { invalid_credentials: 'password' },
  })
  return (
    <Form form={form}>
      {/* Lets password managers see whose password this is. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        {...form.field('password')}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <DialogActions onCancel={cancel}>
        <SubmitButton form={form} busyLabel="Checking...">
          Confirm
        </SubmitButton>
      </DialogActions>
    </Form>
  )
}

function CodeForm({ email }: { email: string }) {
  const [isSent, setSent] = useState(false)
  const [code, setCode] = useState('')
  const form = useAccountForm({
    failureTitle: 'Not Confirmed',
    check: () =>
      !isSent || codeOf(code)
        ? undefined
        : { field: 'code', description: 'Enter the 6-digit code from the email' },
    send: async () => {
      if (isSent) return signInAgain(() => authClient.verifyCode(email, codeOf(code) ?? ''))
      await authClient.sendMagicLink(email, '')
      setSent(true)
    },
    fieldOfCode: { otp_expired: 'code' },
  })
  return (
    <Form form={form}>
      {isSent && (
        <TextField
          label="Code from the email"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          {...form.field('code')}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      )}
      <DialogActions onCancel={cancel}>
        <SubmitButton form={form} busyLabel={isSent ? 'Checking...' : 'Sending...'}>
          {isSent ? 'Confirm' : 'Send Code'}
        </SubmitButton>
      </DialogActions>
    </Form>
  )
}
