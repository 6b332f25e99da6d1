import type { FollowedList } from '@looptide/contracts/http/followed-lists'
import { parseYoutubeListUrl } from '@looptide/contracts/youtube-url'
import { useState } from 'react'
import { ApiError } from '../../../lib/api/api-error.ts'
import { showFailure } from '../../../lib/failures.ts'
import { useDebounced } from '../../../lib/time/use-debounced.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { useForm } from '../../../ui/use-form.ts'
import { videoCountText } from '../../admin/video-texts.ts'
import { followList, useListPreview } from './api.ts'
import { ListFields, NEW_LIST, tagProblem } from './list-fields.tsx'

/** Delay before the title of a typed URL is read, in ms. */
const PREVIEW_DELAY_MS = 500

/** Follows a YouTube playlist or channel. The tag is its title until another one is entered. */
export function FollowDialog(props: { onClose: () => void; onFollowed: (list: FollowedList) => void }) {
  const [url, setUrl] = useState('')
  const [values, setValues] = useState(NEW_LIST)
  const [isTagEntered, setTagEntered] = useState(false)
  const [hasExisting, setExisting] = useState(true)
  const preview = useListPreview(useDebounced(url, PREVIEW_DELAY_MS))
  const tag = isTagEntered ? values.tag : tagOf(preview.data?.title ?? '')
  const form = useForm({
    check: () =>
      parseYoutubeListUrl(url) === null
        ? { field: 'url', description: 'Enter the URL of a YouTube playlist or channel' }
        : tagProblem(tag),
    send: async () => {
      const list = await followList({ ...values, url: url.trim(), tag: tag.trim(), onlyNew: !hasExisting })
      props.onClose()
      props.onFollowed(list)
    },
    onFailure: (failure, point) => {
      const isKnown = failure instanceof ApiError && failure.code === 'conflict'
      if (isKnown) point({ field: 'url', description: failure.message })
      else showFailure(failure, { title: 'Error following the list', text: 'Please try again.' })
    },
  })
  return (
    <Dialog
      title="Follow a YouTube list"
      description="Adds new videos from a YouTube playlist or channel automatically."
      isOpen
      onClose={props.onClose}
      width="narrow"
    >
      <Form form={form}>
        <TextField
          label="Playlist or channel URL"
          hint={previewText(preview)}
          placeholder="https://www.youtube.com/@…"
          maxLength={2048}
          autoComplete="off"
          {...form.field('url')}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <ListFields
          form={form}
          values={{ ...values, tag }}
          onChange={(change) => {
            if (change.tag !== undefined) setTagEntered(true)
            setValues({ ...values, ...change })
          }}
        />
        <label className="flex min-h-11 items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            checked={hasExisting}
            onChange={(event) => setExisting(event.target.checked)}
          />
          Include existing videos
        </label>
        <SubmitButton form={form} busyLabel="Following...">
          Follow
        </SubmitButton>
      </Form>
    </Dialog>
  )
}

/** A title as a tag: without commas, at most 40 characters. */
const tagOf = (title: string): string =>
  [...title.replaceAll(/[,\s]+/g, ' ').trim()].slice(0, 40).join('').trim()

function previewText({ data, error, isLoading }: ReturnType<typeof useListPreview>): string | undefined {
  if (isLoading) return 'Looking up the list...'
  if (data !== undefined) {
    return data.itemCount === null ? data.title : `${data.title}, ${videoCountText(data.itemCount)}`
  }
  if (!(error instanceof ApiError))
    return error === undefined ? undefined : 'YouTube cannot be reached right now.'
  return error.code === 'not_found' ? 'YouTube has no public list at this URL.' : error.message
}
