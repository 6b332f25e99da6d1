import type { RestrictionType } from '@looptide/contracts/common'
import type { AddRestrictionBody, AdminUser } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { serverClock } from '../../lib/clients.ts'
import { TextField } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { END_CHOICES, type EndChoice, expiresAtOf } from './restriction-end.ts'
import { nameOf, RESTRICTION_LABELS } from './user-labels.ts'

const TYPES: readonly RestrictionType[] = ['chat_banned', 'site_banned', 'restricted']
const MAX_REASON = 500

/** Form to restrict the selected user. Requires a user and a non-blank reason (docs/product/admin.md §5). */
export function RestrictionForm(props: {
  user: AdminUser | undefined
  isBusy: boolean
  /** Resolves to whether the restriction was added; then the reason is cleared. */
  onAdd: (user: AdminUser, body: AddRestrictionBody) => Promise<boolean>
}) {
  const { user, isBusy, onAdd } = props
  const [restrictionType, setType] = useState<RestrictionType>('chat_banned')
  const [reason, setReason] = useState('')
  const [end, setEnd] = useState<{ choice: EndChoice; until: string }>({ choice: 'never', until: '' })

  const form = useForm({
    send: async (point) => {
      if (!user || isBusy) return
      const expiresAt = expiresAtOf(end, serverClock.nowMs())
      if (expiresAt === undefined) {
        return point({ field: 'until', description: 'Choose a date and time in the future' })
      }
      const isAdded = await onAdd(user, { restrictionType, reason: reason.trim(), expiresAt })
      if (isAdded) setReason('')
    },
  })

  return (
    <Form form={form}>
      <p className="text-sm" aria-live="polite">
        {user ? (
          <>
            For <strong className="[overflow-wrap:anywhere]">{nameOf(user)}</strong>
          </>
        ) : (
          <span className="text-muted">Select a user in the list first.</span>
        )}
      </p>
      <SelectField
        label="Restriction"
        choices={TYPES.map((value) => ({ value, label: RESTRICTION_LABELS[value].label }))}
        value={restrictionType}
        onChange={setType}
      />
      <p className="-mt-2 text-sm text-muted">{RESTRICTION_LABELS[restrictionType].text}</p>
      <TextField
        label="Reason"
        maxLength={MAX_REASON}
        autoComplete="off"
        hint="The user can read it."
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <SelectField
        label="Ends"
        choices={END_CHOICES}
        value={end.choice}
        onChange={(choice) => setEnd({ ...end, choice })}
      />
      {end.choice === 'date' && (
        <TextField
          label="Until"
          type="datetime-local"
          {...form.field('until')}
          value={end.until}
          onChange={(event) => setEnd({ ...end, until: event.target.value })}
        />
      )}
      <SubmitButton form={form} disabled={!user || reason.trim() === ''}>
        Add Restriction
      </SubmitButton>
    </Form>
  )
}
