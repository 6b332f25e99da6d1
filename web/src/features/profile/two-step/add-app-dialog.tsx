import { useState } from 'react'
import useSWRImmutable from 'swr/immutable'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { randomId } from '../../../lib/browser/random-id.ts'
import { authClient } from '../../../lib/clients.ts'
import { failureText } from '../../../lib/failures.ts'
import type { EnrolledFactor } from '../../../lib/session/factor-methods.ts'
import { codeOf } from '../../../lib/session/form-rules.ts'
import { useAccountForm } from '../../../lib/session/use-account-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useTokenRevocation } from '../tokens/use-tokens.tsx'

/** Adds an authenticator app. */
export function AddAppDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  // A new secret each time the dialog opens.
  const [key] = useState(() => ['auth/enrolment', randomId()] as const)
  const {
    data: factor,
    error,
    mutate,
  } = useSWRImmutable(key, () => authClient.enrollFactor(), {
    shouldRetryOnError: false,
  })
  return (
    <Dialog title="Add an Authenticator App" width="narrow" isOpen onClose={onClose}>
      {factor ? (
        <AddApp factor={factor} onCancel={onClose} onAdded={onAdded} />
      ) : error ? (
        <ErrorNotice
          text={failureText(error, 'The code could not be created.')}
          onRetry={() => void mutate()}
        />
      ) : (
        <Skeleton className="h-96" />
      )}
    </Dialog>
  )
}

function AddApp(props: { factor: EnrolledFactor; onCancel: () => void; onAdded: () => void }) {
  const { id, qrCode, secret } = props.factor
  const [code, setCode] = useState('')
  const tokens = useTokenRevocation()
  const form = useAccountForm({
    failureTitle: 'App Not Added',
    check: () =>
      codeOf(code) ? undefined : { field: 'code', description: 'Enter the 6-digit code of the app' },
    send: async () => {
      await authClient.confirmFactor(id, codeOf(code) ?? '')
      await tokens.revokeIfChosen()
      props.onAdded()
    },
    fieldOfCode: { mfa_verification_failed: 'code' },
  })
  return (
    <Form form={form}>
      <p className="text-sm text-muted">
        Scan this QR code with an authenticator app or your password manager. Then enter the code that it
        shows.
      </p>
      <img
        src={qrCode}
        alt="QR code of the secret below"
        className="size-52 justify-self-center rounded-md bg-white p-2"
      />
      <div className="grid gap-1.5">
        <p className="text-sm font-medium">Or enter this secret into the app</p>
        <code className="field text-sm wrap-anywhere">{secret.match(/.{1,4}/g)?.join(' ')}</code>
        <Button className="justify-self-start" onClick={() => void copyText(secret, 'The secret')}>
          Copy Secret
        </Button>
      </div>
      <TextField
        label="6-digit code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        hint="Adding an app signs out your other devices."
        {...form.field('code')}
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      {tokens.field}
      <DialogActions onCancel={props.onCancel}>
        <SubmitButton form={form} busyLabel="Checking...">
          Add App
        </SubmitButton>
      </DialogActions>
    </Form>
  )
}
