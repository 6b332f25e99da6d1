import type { Role } from '@looptide/contracts/common'
import { TOKEN_LIFETIMES, TOKEN_NAME_MAX } from '@looptide/contracts/credential-limits'
import type { CreatedPersonalToken, CreatePersonalTokenBody } from '@looptide/contracts/http/personal-tokens'
import { scopesFor, TOKEN_SCOPES, type TokenScope } from '@looptide/contracts/token-scopes'
import { useId, useState } from 'react'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { failureText } from '../../../lib/failures.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { ShownOnce } from '../../../ui/shown-once.tsx'
import { useForm } from '../../../ui/use-form.ts'

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
        <ShownOnce
          label="Access token"
          text="Copy this token now and keep it like a password. It is shown only this once."
          secret={created.token}
          onCopy={() => void copyText(created.token, 'The token')}
          onDone={onClose}
        />
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

/** One checkbox for each scope that is offered. */
function ScopeFields(props: {
  name: string
  error: string | undefined
  offered: readonly TokenScope[]
  chosen: readonly TokenScope[]
  onChange: (chosen: TokenScope[]) => void
}) {
  const { name, error, offered, chosen, onChange } = props
  const errorId = useId()
  return (
    <fieldset className="grid gap-1" aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1 text-sm font-medium">Permissions</legend>
      {offered.map((scope) => (
        <label key={scope} className="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            name={scope === offered[0] ? name : `${name}-${scope}`}
            className="size-5 shrink-0 accent-primary"
            checked={chosen.includes(scope)}
            onChange={({ target }) =>
              onChange(offered.filter((each) => (each === scope ? target.checked : chosen.includes(each))))
            }
          />
          <span className="text-sm">
            <span className="font-mono font-semibold">{scope}</span>
            <span className="block text-muted">{TOKEN_SCOPES[scope]}</span>
          </span>
        </label>
      ))}
      {error && (
        <p id={errorId} className="text-sm font-medium">
          <span aria-hidden="true">⚠ </span>
          {error}
        </p>
      )}
    </fieldset>
  )
}
