import type { Role } from '@looptide/contracts/common'
import type { CreatedPersonalToken, CreatePersonalTokenBody } from '@looptide/contracts/http/personal-tokens'
import { TOKEN_LIFETIMES, TOKEN_NAME_MAX } from '@looptide/contracts/token-limits'
import { scopesFor, type TokenScope } from '@looptide/contracts/token-scopes'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { useForm } from '../../../ui/use-form.ts'
import { failureText } from '../failure-text.ts'
import { NewToken } from './new-token.tsx'
import { ScopeFields } from './scope-fields.tsx'

const LIFETIMES = TOKEN_LIFETIMES.map((days) => ({ value: String(days), label: `In ${days} days` }))

/** Creates an access token and shows it once. */
export function CreateTokenDialog(props: {
  /** Decides which scopes are offered. */
  role: Role
  create: (body: CreatePersonalTokenBody) => Promise<CreatedPersonalToken>
  onClose: () => void
}) {
  const { role, create, onClose } = props
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState('30')
  const [scopes, setScopes] = useState<readonly TokenScope[]>(['read'])
  const [created, setCreated] = useState<CreatedPersonalToken>()
  const offered = scopesFor(role)
  const form = useForm({
    check: () => {
      if (name.trim() === '') return { field: 'name', description: 'Please enter a name' }
      if (scopes.length === 0)
        return { field: 'scopes', description: 'Please choose at least one permission' }
    },
    send: async () => {
      const lifetimeDays = TOKEN_LIFETIMES.find((days) => String(days) === lifetime) ?? 30
      setCreated(await create({ name: name.trim(), scopes: [...scopes], lifetimeDays }))
    },
    onFailure: (failure, point) =>
      point({ field: 'name', description: failureText(failure, 'The token could not be created.') }),
  })
  if (created)
    return (
      <Dialog title="Your New Access Token" isOpen onClose={onClose}>
        <NewToken token={created.token} onDone={onClose} />
      </Dialog>
    )
  return (
    <Dialog
      title="New Access Token"
      description="For a program that acts in your name. It can never do more than you."
      isOpen
      onClose={onClose}
    >
      <Form form={form}>
        <TextField
          label="Name"
          hint="What you use it for."
          autoComplete="off"
          maxLength={TOKEN_NAME_MAX}
          {...form.field('name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField label="Expires" choices={LIFETIMES} value={lifetime} onChange={setLifetime} />
        <ScopeFields {...form.field('scopes')} offered={offered} chosen={scopes} onChange={setScopes} />
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} busyLabel="Creating...">
            Create Token
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
