import type { RestrictionType } from '@looptide/contracts/common'
import type { AddRestrictionBody, AdminUser } from '@looptide/contracts/http/users'
import { type SubmitEvent, useState } from 'react'
import { serverClock } from '../../../lib/clients.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { nameOf, RESTRICTION_WORDS } from './person-words.ts'
import { END_CHOICES, type EndChoice, expiresAtOf } from './restriction-end.ts'

const TYPES: readonly RestrictionType[] = ['chat_banned', 'site_banned', 'restricted']
const MAX_REASON = 500

/** A restriction for the selected person. It needs a person and a reason that is not blank (admin specification §5). */
export function RestrictionForm(props: {
  person: AdminUser | undefined
  isBusy: boolean
  /** Resolves to whether it is in force now: then the form is empty again. */
  onAdd: (person: AdminUser, terms: AddRestrictionBody) => Promise<boolean>
}) {
  const { person, isBusy, onAdd } = props
  const [restrictionType, setType] = useState<RestrictionType>('chat_banned')
  const [reason, setReason] = useState('')
  const [end, setEnd] = useState<{ choice: EndChoice; until: string }>({ choice: 'never', until: '' })
  const [dateError, setDateError] = useState<string>()

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!person || isBusy) return
    const expiresAt = expiresAtOf(end, serverClock.nowMs())
    if (expiresAt === undefined) return setDateError('Choose a date and time to come')
    const isAdded = await onAdd(person, { restrictionType, reason: reason.trim(), expiresAt })
    if (isAdded) setReason('')
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <p className="text-sm" aria-live="polite">
        {person ? (
          <>
            For <strong className="[overflow-wrap:anywhere]">{nameOf(person)}</strong>
          </>
        ) : (
          <span className="text-muted">Select a person in the list first.</span>
        )}
      </p>
      <SelectField
        label="Restriction"
        choices={TYPES.map((value) => ({ value, label: RESTRICTION_WORDS[value].label }))}
        value={restrictionType}
        onChange={setType}
      />
      <p className="-mt-2 text-sm text-muted">{RESTRICTION_WORDS[restrictionType].text}</p>
      <TextField
        label="Reason"
        maxLength={MAX_REASON}
        autoComplete="off"
        hint="The person concerned reads it."
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <SelectField
        label="Ends"
        choices={END_CHOICES}
        value={end.choice}
        onChange={(choice) => {
          setEnd({ ...end, choice })
          setDateError(undefined)
        }}
      />
      {end.choice === 'date' && (
        <TextField
          label="Until"
          type="datetime-local"
          error={dateError}
          value={end.until}
          onChange={(event) => {
            setEnd({ ...end, until: event.target.value })
            setDateError(undefined)
          }}
        />
      )}
      <Button type="submit" tone="primary" disabled={!person || reason.trim() === '' || isBusy}>
        Add Restriction
      </Button>
    </form>
  )
}
