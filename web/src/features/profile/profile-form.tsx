import { HANDLE_PATTERN, type Me } from '@looptide/contracts/http/users'
import { type SubmitEvent, useState } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useHandleCheck, useProfileChanges } from './api.ts'
import { failureText } from './failure-text.ts'
import { useDraft } from './use-draft.ts'

const RULE = '3 to 30 letters, digits or _'
const TAKEN = 'This handle is taken.'
const isHandle = (text: string): boolean => new RegExp(HANDLE_PATTERN).test(text)

/** Handle and artist name. The handle is judged while it is typed: by its rule at once, by the server after a pause. */
export function ProfileForm({ me, isLocked }: { me: Me; isLocked: boolean }) {
  const saved = { handle: me.profile.handle ?? '', artistName: me.profile.artistName ?? '' }
  const { draft, setDraft, forget } = useDraft(me.id, saved)
  const [isBusy, setBusy] = useState(false)
  const [isSubmitted, setSubmitted] = useState(false)
  /** Why the server refused the artist name, until it is changed. */
  const [nameFault, setNameFault] = useState<string>()
  const handle = useHandleState(draft.handle, saved.handle, isSubmitted)
  const { save } = useProfileChanges(me.id)

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSubmitted(true)
    if (isBusy || isLocked) return
    const fields = event.currentTarget.elements
    if (!isHandle(draft.handle) || handle.error === TAKEN) return focusField(fields, 'handle')
    setBusy(true)
    try {
      await save({ handle: draft.handle, artistName: draft.artistName.trim() || null })
      forget()
      setSubmitted(false)
      toast({ title: 'Profile Saved', tone: 'success' })
    } catch (failure) {
      const fault = nameFaultOf(failure)
      if (failure instanceof ApiError && failure.code === 'handle_taken') handle.refuse()
      else if (fault !== undefined) {
        setNameFault(fault)
        focusField(fields, 'artistName')
      } else
        toast({
          title: 'Error',
          description: failureText(failure, 'Failed to save your profile.'),
          tone: 'error',
        })
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-busy={isBusy}>
      <fieldset disabled={isLocked} className="grid gap-4">
        <legend className="sr-only">Names</legend>
        <TextField
          label="Handle"
          name="handle"
          hint={handle.hint}
          error={handle.error}
          autoComplete="nickname"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={30}
          required
          value={draft.handle}
          onChange={(event) => setDraft({ ...draft, handle: event.target.value.trim() })}
        />
        <p role="status" className="sr-only">
          {handle.announced}
        </p>
        <TextField
          label="Artist Name (optional)"
          name="artistName"
          hint="Shown next to your handle"
          maxLength={100}
          error={nameFault}
          value={draft.artistName}
          onChange={(event) => {
            setNameFault(undefined)
            setDraft({ ...draft, artistName: event.target.value })
          }}
        />
        <Button
          type="submit"
          tone="primary"
          aria-disabled={isBusy}
          className="justify-self-start aria-disabled:opacity-55"
        >
          {isBusy ? 'Saving...' : 'Save Profile'}
        </Button>
      </fieldset>
    </form>
  )
}

function focusField(fields: HTMLFormControlsCollection, name: string): void {
  const field = fields.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}

/** What the server says of the artist name, if that is what it refused. */
const nameFaultOf = (failure: unknown): string | undefined =>
  failure instanceof ApiError
    ? failure.details.find(({ path }) => path === '/artistName')?.message
    : undefined

/** Longer than the pause between two keystrokes, in ms. */
const PAUSE_MS = 300

function useHandleState(handle: string, savedHandle: string, isSubmitted: boolean) {
  const isOwn = handle.toLowerCase() === savedHandle.toLowerCase()
  const settled = useDebounced(handle, PAUSE_MS)
  const isAsked = settled === handle && isHandle(handle) && !isOwn
  const { data, mutate } = useHandleCheck(isAsked ? handle : null)
  const isTaken = isAsked && data?.available === false
  const isFree = isAsked && data?.available === true
  // No error while the first letters of a name are typed.
  const isWrong = !isHandle(handle) && (isSubmitted || settled === handle) && (isSubmitted || handle !== '')
  const error = isTaken ? TAKEN : isWrong ? RULE : undefined
  const free = isFree ? `✓ ${handle} is free` : undefined
  return {
    error,
    hint: free ?? `${RULE}. Others see it in the chat.`,
    announced: error ?? (isFree ? `${handle} is free` : ''),
    /** Somebody else was quicker. */
    refuse: () => void mutate({ handle, available: false }, { revalidate: false }),
  }
}
