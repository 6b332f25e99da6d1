import type { Me } from '@looptide/contracts/http/users'
import { type ChangeEvent, useRef, useState } from 'react'
import { dialogPart } from '../../lib/browser/part.tsx'
import { failureText } from '../../lib/failures.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { useProfileChanges } from './api.ts'
import { toAvatar } from './resize-image.ts'

const AvatarAddressDialog = dialogPart(
  async () => (await import('./avatar-address-dialog.tsx')).AvatarAddressDialog,
)

/** The editor of the user's picture: a file, which is resized before the upload, a URL, or none. */
export function AvatarEditor({ me, isLocked }: { me: Me; isLocked: boolean }) {
  const { avatarUrl, handle } = me.profile
  const { uploadPicture, removePicture } = useProfileChanges(me.id)
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [isAddressOpen, setAddressOpen] = useState(false)

  const change = async (work: () => Promise<void>, done: string) => {
    setBusy(true)
    try {
      await work()
      toast({ title: done, tone: 'success' })
    } catch (failure) {
      toast({
        title: 'Error',
        description: failureText(failure, 'Failed to change your picture.'),
        tone: 'error',
      })
    } finally {
      setBusy(false)
    }
  }
  const upload = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    // So that the same file can be chosen again.
    event.target.value = ''
    if (!file) return
    const picture = await toAvatar(file).catch(() => undefined)
    if (!picture) {
      toast({ title: 'Error', description: 'This file is not a supported picture.', tone: 'error' })
      return
    }
    await change(() => uploadPicture(picture), 'Picture Saved')
  }

  return (
    <div className="flex flex-wrap items-center gap-5">
      <Avatar name={handle ?? me.email ?? ''} url={avatarUrl} size="huge" />
      <div className="grid gap-2">
        <div className="flex flex-wrap gap-2">
          <input
            ref={input}
            type="file"
            accept="image/*"
            aria-label="Picture file"
            hidden
            onChange={(event) => void upload(event)}
          />
          <Button isBusy={isBusy} disabled={isLocked} onClick={() => input.current?.click()}>
            {isBusy ? 'Saving...' : 'Upload Picture'}
          </Button>
          <Button tone="plain" isBusy={isBusy} disabled={isLocked} onClick={() => setAddressOpen(true)}>
            Use a URL
          </Button>
          {avatarUrl && (
            <Button
              tone="plain"
              isBusy={isBusy}
              disabled={isLocked}
              onClick={() => void change(removePicture, 'Picture Removed')}
            >
              Remove
            </Button>
          )}
        </div>
        <p className="text-sm text-muted">The picture is cropped to a circle.</p>
      </div>
      {isAddressOpen && <AvatarAddressDialog me={me} onClose={() => setAddressOpen(false)} />}
    </div>
  )
}
