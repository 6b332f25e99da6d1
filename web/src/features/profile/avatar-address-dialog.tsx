import type { Me } from '@looptide/contracts/http/users'
import { type SubmitEvent, useState } from 'react'
import { canBeShown } from '../../lib/can-be-shown.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useProfileChanges } from './api.ts'
import { failureText } from './failure-text.ts'

/** A picture that stays where it is: only its address is kept. It is looked at before it is taken. */
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
      return setError('Please enter an address that begins with https://')
    }
    setBusy(true)
    try {
      if (!(await canBeShown(wanted))) {
        return setError('The picture at this address cannot be shown here. Please upload it instead.')
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
    <Dialog title="Picture from an Address" width="narrow" isOpen onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
        <TextField
          label="Address of the picture"
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
          {isBusy ? 'Looking at it...' : 'Use This Picture'}
        </Button>
      </form>
    </Dialog>
  )
}
