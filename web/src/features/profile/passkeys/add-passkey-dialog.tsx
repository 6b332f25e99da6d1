import { PASSKEY_NAME_MAX } from '@looptide/contracts/credential-limits'
import { useState } from 'react'
import { showSignInFailure } from '../../../lib/failures.ts'
import { nameProblem } from '../../../lib/session/form-rules.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { useSessions } from '../api.ts'

/** Adds a passkey under a name, which is at first that of this device. */
export function AddPasskeyDialog(props: { onAdd: (name: string) => Promise<void>; onClose: () => void }) {
  const { data: sessions, isLoading } = useSessions()
  const [typed, setName] = useState<string>()
  const name = typed ?? sessions?.find(({ current }) => current)?.device ?? ''
  const form = useForm({
    check: () => nameProblem(name),
    send: async () => {
      await props.onAdd(name.trim())
      toast({ title: 'Passkey Added', description: name.trim(), tone: 'success' })
      props.onClose()
    },
    onFailure: (failure) => showSignInFailure('Passkey Not Added', failure),
  })
  return (
    <Dialog title="Add Passkey" width="narrow" isOpen onClose={props.onClose}>
      <Form form={form}>
        <TextField
          label="Name of the new passkey"
          hint="To recognise it in your list. Your browser asks you for the passkey next."
          autoComplete="off"
          maxLength={PASSKEY_NAME_MAX}
          {...form.field('name')}
          value={name}
          // What is typed before the device's name arrives would be mixed with it.
          readOnly={isLoading}
          onChange={(event) => setName(event.target.value)}
        />
        <DialogActions onCancel={props.onClose}>
          <SubmitButton form={form} busyLabel="Waiting for your device...">
            Continue
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
