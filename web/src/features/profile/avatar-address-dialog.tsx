import type { Me } from '@looptide/contracts/http/users'
import { type SubmitEvent, useState } from 'react'
import { canLoadImage } from '../../lib/browser/can-load-image.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useProfileChanges } from './api.ts'
import { failureText } from './failure-text.ts'

/** A dialog for a picture by URL. Only the URL is stored, after checking that it can be shown. */
export function AvatarAddressDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const [url, setUrl] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { save } = useProfileChanges(me.id)

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const wanted = url.trim()
    if (!wanted.startsWith('https://') || !URL.canParse(wanted)) {
      return setError('Please enter a URL that starts with https://')
    }
    setBusy(true)
    try {
      if (!(await canLoadImage(wanted))) {
        return setError('This picture cannot be shown here. Please upload it instead.')
      }
      await save({ avatarUrl: wanted })
      toast({ title: 'Picture Saved', tone: 'success' })
      onClose()
    } catch (failure) {
      setError(failureText(failure, 'Failed to change your picture.'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog title="Picture from URL" width="narrow" isOpen onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
        <TextField
          label="Picture URL"
          type="url"
          inputMode="url"
          placeholder="https://"
          maxLength={2048}
          error={error}
          value={url}
          onChange={(event) => {
            setUrl(event.target.value)
            setError(undefined)
          }}
        />
        <Button type="submit" tone="primary" aria-disabled={isBusy} className="aria-disabled:opacity-55">
          {isBusy ? 'Checking...' : 'Use This Picture'}
        </Button>
      </form>
    </Dialog>
  )
}
