import { type ChangeEvent, useRef } from 'react'
import { useAction } from '../../lib/failures.ts'
import { Button } from '../../ui/button.tsx'
import { ChannelLogo } from '../../ui/channel-logo.tsx'
import { toast } from '../../ui/toast.ts'
import { toThemeImage } from '../admin/theme-picture.ts'
import { channelActions } from './api.ts'

/** The optional logo of a channel. It is uploaded at once, and belongs to the channel when the form is saved. */
export function ChannelLogoField(props: {
  name: string
  url: string | null
  onChange: (url: string | null) => void
}) {
  const { name, url, onChange } = props
  const input = useRef<HTMLInputElement>(null)
  const { isBusy, run } = useAction()

  const upload = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    // So that the same file can be chosen again.
    event.target.value = ''
    if (!file) return
    const image = await toThemeImage(file, 'logo').catch(() => undefined)
    if (!image) {
      toast({ title: 'Error', description: 'This file is not a supported image.', tone: 'error' })
      return
    }
    await run(async () => onChange(await channelActions.uploadLogo(image)), {
      title: 'Error',
      text: 'Failed to upload the image.',
    })
  }

  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Logo (optional)</legend>
      <div className="flex flex-wrap items-center gap-2">
        <ChannelLogo name={name} url={url} />
        <input
          ref={input}
          type="file"
          accept="image/*"
          aria-label="Logo file"
          hidden
          onChange={(event) => void upload(event)}
        />
        <Button isBusy={isBusy} onClick={() => input.current?.click()}>
          {isBusy ? 'Uploading...' : 'Upload Logo'}
        </Button>
        {url && (
          <Button tone="plain" isBusy={isBusy} onClick={() => onChange(null)}>
            Remove Logo
          </Button>
        )}
      </div>
    </fieldset>
  )
}
