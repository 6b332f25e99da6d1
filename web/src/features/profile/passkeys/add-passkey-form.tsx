import { PASSKEY_NAME_MAX } from '@looptide/contracts/passkey-limits'
import { useState } from 'react'
import { toastFailure } from '../../../lib/session/use-account-form.ts'
import { TextField } from '../../../ui/field.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { useSessions } from '../api.ts'
import { nameProblem } from './name-problem.ts'

/** Adds a passkey under a name, which is at first that of this device. */
export function AddPasskeyForm({ onAdd }: { onAdd: (name: string) => Promise<void> }) {
  const { data: sessions } = useSessions()
  const [typed, setName] = useState<string>()
  const name = typed ?? sessions?.find(({ current }) => current)?.device ?? ''
  const form = useForm({
    check: () => nameProblem(name),
    send: async () => {
      await onAdd(name.trim())
      toast({ title: 'Passkey Added', description: name.trim(), tone: 'success' })
    },
    onFailure: (failure) => toastFailure('Passkey Not Added', failure),
  })
  return (
    <Form form={form}>
      <TextField
        label="Name of the new passkey"
        hint="To recognise it in this list."
        autoComplete="off"
        maxLength={PASSKEY_NAME_MAX}
        {...form.field('name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SubmitButton form={form} busyLabel="Waiting for your device..." className="justify-self-start">
        Add Passkey
      </SubmitButton>
    </Form>
  )
}
