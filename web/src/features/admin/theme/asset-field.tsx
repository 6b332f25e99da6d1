import { type ChangeEvent, type SubmitEvent, useRef, useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { canLoadImage } from '../../../lib/can-load-image.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { uploadThemeAsset } from './api.ts'
import { type PictureKind, toThemePicture } from './theme-picture.ts'

type AssetFieldProps = {
  kind: PictureKind
  label: string
  hint: string
  url: string | null
  onChange: (url: string | null) => void
}

/** A picture of the theme: uploaded, or linked by its address; or none. It counts once the theme is saved. */
export function AssetField({ kind, label, hint, url, onChange }: AssetFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)

  const upload = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    // So that the same file can be chosen again.
    event.target.value = ''
    if (!file) return
    setBusy(true)
    try {
      const picture = await toThemePicture(file, kind).catch(() => undefined)
      if (!picture) return tellError('This file is not a picture that can be read.')
      onChange(await uploadThemeAsset(picture))
    } catch (failure) {
      tellError(failure instanceof ApiError ? failure.message : 'Failed to upload the picture.')
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
            alt={`The chosen ${label.toLowerCase()}`}
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
        <Button disabled={isBusy} onClick={() => input.current?.click()}>
          {isBusy ? 'Uploading...' : `Upload ${label}`}
        </Button>
        {url && (
          <Button tone="plain" disabled={isBusy} onClick={() => onChange(null)}>
            Remove {label}
          </Button>
        )}
      </div>
      <AddressForm label={label} onChange={onChange} />
    </section>
  )
}

/** The picture is looked at before it is taken: pages show pictures of a few hosts only. */
function AddressForm({ label, onChange }: Pick<AssetFieldProps, 'label' | 'onChange'>) {
  const [address, setAddress] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const wanted = address.trim()
    if (isBusy) return
    if (!wanted.startsWith('https://') || !URL.canParse(wanted)) {
      return setError('Please enter an address that begins with https://')
    }
    setBusy(true)
    const isShown = await canLoadImage(wanted)
    setBusy(false)
    if (!isShown) {
      return setError('The picture at this address cannot be shown here. Please upload it instead.')
    }
    onChange(wanted)
    setAddress('')
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-2">
      <TextField
        label={`Or the address of a ${label.toLowerCase()}`}
        type="url"
        inputMode="url"
        placeholder="https://"
        maxLength={2048}
        error={error}
        value={address}
        onChange={(event) => {
          setAddress(event.target.value)
          setError(undefined)
        }}
      />
      <Button type="submit" disabled={address.trim() === ''} className="justify-self-start">
        {isBusy ? 'Looking at it...' : 'Use This Picture'}
      </Button>
    </form>
  )
}

function tellError(description: string): void {
  toast({ title: 'Error', description, tone: 'error' })
}
