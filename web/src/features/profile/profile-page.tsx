import { HANDLE_PATTERN, type Me } from '@looptide/contracts/http/people'
import { type SubmitEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { ApiError } from '../../lib/api-error.ts'
import { useSession } from '../../lib/session.tsx'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useSaveProfile } from './api.ts'

const isHandle = (text: string): boolean => new RegExp(HANDLE_PATTERN).test(text)

/** My Profile: how one is called in the chat. */
export function ProfilePage() {
  usePageTitle('My Profile')
  const { status, me } = useSession()
  return (
    <main id="main" className="mx-auto grid max-w-xl gap-6 px-4 py-8">
      <h1 className="text-2xl font-semibold">My Profile</h1>
      {status === 'signed-out' ? (
        <EmptyNotice title="Sign in to see your profile">
          <Link to={paths.root()} className={buttonClass('primary')}>
            Sign In
          </Link>
        </EmptyNotice>
      ) : me ? (
        <ProfileForm key={me.id} me={me} />
      ) : (
        <Skeleton className="h-72" />
      )}
    </main>
  )
}

function ProfileForm({ me }: { me: Me }) {
  const [handle, setHandle] = useState(me.profile.handle ?? '')
  const [artistName, setArtistName] = useState(me.profile.artistName ?? '')
  const [handleError, setHandleError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const save = useSaveProfile()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!isHandle(handle)) return setHandleError('3 to 30 letters, digits or _')
    setHandleError(undefined)
    setBusy(true)
    try {
      await save(me.id, { handle, artistName: artistName.trim() || null })
      toast({ title: 'Profile Saved', tone: 'success' })
    } catch (failure) {
      const isTaken = failure instanceof ApiError && failure.code === 'handle_taken'
      if (isTaken) setHandleError('This handle is taken.')
      else toast({ title: 'Error', description: 'Failed to save your profile.', tone: 'error' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      onSubmit={(event) => void submit(event)}
      noValidate
      className="grid gap-4 rounded-lg border border-line/70 bg-panel p-6"
    >
      <p className="text-sm text-muted">
        Signed in as <strong className="break-words text-text">{me.email}</strong>
      </p>
      <TextField
        label="Handle"
        hint="How others see you in the chat"
        error={handleError}
        autoComplete="nickname"
        maxLength={30}
        value={handle}
        onChange={(event) => setHandle(event.target.value)}
      />
      <TextField
        label="Artist Name (optional)"
        maxLength={100}
        value={artistName}
        onChange={(event) => setArtistName(event.target.value)}
      />
      <Button type="submit" tone="primary" disabled={isBusy} className="justify-self-start">
        {isBusy ? 'Saving...' : 'Save Profile'}
      </Button>
    </form>
  )
}
