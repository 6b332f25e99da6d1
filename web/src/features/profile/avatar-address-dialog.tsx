import type { Me } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { isHttpsUrl } from '../../lib/browser/is-https-url.ts'
import { canLoadImage } from '../../lib/browser/pictures.ts'
import { failureText } from '../../lib/failures.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { useProfileChanges } from './api.ts'

/** A dialog for a picture by URL. Only the URL is stored, after checking that it can be shown. */
export function AvatarAddressDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const [text, setText] = useState('')
  const { save } = useProfileChanges(me.id)
  const url = text.trim()
  const form = useForm({
    check: () =>
      isHttpsUrl(url)
        ? undefined
        : { field: 'url', description: 'Please enter a URL that starts with https://' },
    send: async (point) => {
      if (!(await canLoadImage(url))) {
        const description = 'This picture cannot be shown here. Please upload it instead.'
        return point({ field: 'url', description })
      }
      await save({ avatarUrl: url })
      toast({ title: 'Picture Saved', tone: 'success' })
      onClose()
    },
    onFailure: (failure, point) =>
      point({ field: 'url', description: failureText(failure, 'Failed to change your picture.') }),
  })

  return (
    <Dialog title="Picture from URL" width="narrow" isOpen onClose={onClose}>
      <Form form={form}>
        <TextField
          label="Picture URL"
          type="url"
          inputMode="url"
          placeholder="https://"
          maxLength={2048}
          {...form.field('url')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <SubmitButton form={form} busyLabel="Checking...">
          Use This Picture
        </SubmitButton>
      </Form>
    </Dialog>
  )
}
