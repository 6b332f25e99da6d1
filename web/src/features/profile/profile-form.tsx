import { HANDLE_PATTERN, type Me } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import { failureText } from '../../lib/failures.ts'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { TextField } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { useHandleCheck, useProfileChanges } from './api.ts'
import { useDraft } from './use-draft.ts'

const RULE = '3 to 30 letters, digits or _'
const TAKEN = 'This handle is taken.'
const isHandle = (text: string): boolean => new RegExp(HANDLE_PATTERN).test(text)

/** Handle and artist name. The handle is checked while it is typed: by its rule at once, by the server after a pause. */
export function ProfileForm({ me, isLocked }: { me: Me; isLocked: boolean }) {
  const { draft, setDraft, handle, form } = useProfileForm(me)
  return (
    <Form form={form} className="block">
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
          hint="Shown next to your handle"
          maxLength={100}
          {...form.field('artistName')}
          value={draft.artistName}
          onChange={(event) => setDraft({ ...draft, artistName: event.target.value })}
        />
        <SubmitButton form={form} busyLabel="Saving..." className="justify-self-start">
          Save Profile
        </SubmitButton>
      </fieldset>
    </Form>
  )
}

function useProfileForm(me: Me) {
  const saved = { handle: me.profile.handle ?? '', artistName: me.profile.artistName ?? '' }
  const { draft, setDraft, forget } = useDraft(me.id, saved)
  const [isSubmitted, setSubmitted] = useState(false)
  const handle = useHandleState(draft.handle, saved.handle, isSubmitted)
  const { save } = useProfileChanges(me.id)
  const form = useForm({
    check: () => {
      setSubmitted(true)
      if (!isHandle(draft.handle)) return { field: 'handle', description: RULE }
      return handle.error === TAKEN ? { field: 'handle', description: TAKEN } : undefined
    },
    send: async () => {
      await save({ handle: draft.handle, artistName: draft.artistName.trim() || null })
      forget()
      setSubmitted(false)
      toast({ title: 'Profile Saved', tone: 'success' })
    },
    onFailure: (failure, point) => {
      const problem = artistNameProblem(failure)
      if (failure instanceof ApiError && failure.code === 'handle_taken') handle.refuse()
      else if (problem) point(problem)
      else {
        toast({
          title: 'Error',
          description: failureText(failure, 'Failed to save your profile.'),
          tone: 'error',
        })
      }
    },
  })
  return { draft, setDraft, handle, form }
}

/** The server's message about the artist name, if that is what it refused. */
function artistNameProblem(failure: unknown) {
  if (!(failure instanceof ApiError)) return undefined
  const detail = failure.details.find(({ path }) => path === '/artistName')
  return detail && { field: 'artistName', description: detail.message }
}

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
    /** Another user has taken the handle since the check. */
    refuse: () => void mutate({ handle, available: false }, { revalidate: false }),
  }
}
