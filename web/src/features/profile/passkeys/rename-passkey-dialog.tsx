import { PASSKEY_NAME_MAX } from '@looptide/contracts/credential-limits'
import { useState } from 'react'
import { failureText } from '../../../lib/failures.ts'
import { nameProblem } from '../../../lib/session/form-rules.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { useForm } from '../../../ui/use-form.ts'

/** Gives a passkey another name. */
export function RenamePasskeyDialog(props: {
  name: string
  onRename: (name: string) => Promise<void>
  onClose: () => void
}) {
  const [name, setName] = useState(props.name)
  const form = useForm({
    check: () => nameProblem(name),
    send: async () => {
      await props.onRename(name.trim())
      props.onClose()
    },
    onFailure: (failure, point) =>
      point({ field: 'name', description: failureText(failure, 'Failed to rename it.') }),
  })
  return (
    <Dialog title="Rename Passkey" width="narrow" isOpen onClose={props.onClose}>
      <Form form={form}>
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={PASSKEY_NAME_MAX}
          {...form.field('name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <DialogActions onCancel={props.onClose}>
          <SubmitButton form={form} busyLabel="Saving...">
            Save Name
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
