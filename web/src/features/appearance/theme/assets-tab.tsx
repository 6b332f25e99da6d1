import type { ThemeBody } from '@looptide/contracts/http/themes'
import { type ChangeEvent, useRef, useState } from 'react'
import { ApiError } from '../../../lib/api/api-error.ts'
import { isHttpsUrl } from '../../../lib/browser/is-https-url.ts'
import { canLoadImage } from '../../../lib/browser/pictures.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { type ThemeImageKind, toThemeImage } from '../../admin/theme-picture.ts'
import { uploadThemeAsset } from './api.ts'

/** Logo and hero background of the theme that is being edited. */
export function AssetsTab(props: { theme: ThemeBody; onChange: (part: Partial<ThemeBody>) => void }) {
  const { theme, onChange } = props
  return (
    <div className="grid gap-8 lg:grid-cols-2">
      <AssetField
        kind="logo"
        label="Logo"
        hint="Shown in the header instead of the icon and the name."
        url={theme.logoUrl}
        onChange={(logoUrl) => onChange({ logoUrl })}
      />
      <AssetField
        kind="background"
        label="Hero Background"
        hint="Shown behind the sign-in screen, and on the home page when it has no highlights."
        url={theme.heroBackgroundUrl}
        onChange={(heroBackgroundUrl) => onChange({ heroBackgroundUrl })}
      />
    </div>
  )
}

interface AssetFieldProps {
  kind: ThemeImageKind
  label: string
  hint: string
  url: string | null
  onChange: (url: string | null) => void
}

/** An optional image of the theme, uploaded or linked by URL. It takes effect when the theme is saved. */
function AssetField({ kind, label, hint, url, onChange }: AssetFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)

  const upload = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    // Reset the input, so that the same file can be chosen again.
    event.target.value = ''
    if (!file) return
    setBusy(true)
    try {
      const image = await toThemeImage(file, kind).catch(() => undefined)
      if (!image) return showError('This file is not a supported image.')
      onChange(await uploadThemeAsset(image))
    } catch (failure) {
      showError(failure instanceof ApiError ? failure.message : 'Failed to upload the image.')
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className="grid content-start gap-4" aria-label={label}>
      <div>
        <h3 className="font-semibold">{label}</h3>
        <p className="text-sm text-muted">{hint}</p>
      </div>
      <div className="grid h-40 place-items-center overflow-hidden rounded-md border border-line bg-deep">
        {url ? (
          <img
            src={url}
            alt={`Selected ${label.toLowerCase()}`}
            className={kind === 'logo' ? 'max-h-20 max-w-[80%] object-contain' : 'size-full object-cover'}
          />
        ) : (
          <p className="text-sm text-muted">None</p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <input
          ref={input}
          type="file"
          accept="image/*"
          aria-label={`${label} file`}
          hidden
          onChange={(event) => void upload(event)}
        />
        <Button isBusy={isBusy} onClick={() => input.current?.click()}>
          {isBusy ? 'Uploading...' : `Upload ${label}`}
        </Button>
        {url && (
          <Button tone="plain" isBusy={isBusy} onClick={() => onChange(null)}>
            Remove {label}
          </Button>
        )}
      </div>
      <UrlForm label={label} onChange={onChange} />
    </section>
  )
}

/** Links an image by URL. It is loaded once to check it, because pages only show images of allowed hosts. */
function UrlForm({ label, onChange }: Pick<AssetFieldProps, 'label' | 'onChange'>) {
  const [text, setText] = useState('')
  const url = text.trim()
  const form = useForm({
    check: () =>
      isHttpsUrl(url)
        ? undefined
        : { field: 'url', description: 'Please enter a URL that starts with https://' },
    send: async (point) => {
      if (!(await canLoadImage(url))) {
        const description = 'The image at this URL cannot be shown here. Please upload it instead.'
        return point({ field: 'url', description })
      }
      onChange(url)
      setText('')
    },
  })
  return (
    <Form form={form} className="grid gap-2">
      <TextField
        label={`${label} URL`}
        type="url"
        inputMode="url"
        placeholder="https://"
        maxLength={2048}
        {...form.field('url')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <SubmitButton
        form={form}
        tone="quiet"
        busyLabel="Checking..."
        disabled={url === ''}
        className="justify-self-start"
      >
        Use This Image
      </SubmitButton>
    </Form>
  )
}

function showError(description: string): void {
  toast({ title: 'Error', description, tone: 'error' })
}
