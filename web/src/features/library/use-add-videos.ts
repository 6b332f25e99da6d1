import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { useState } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import { useLossGuard } from '../../lib/browser/loss-guard.ts'
import { showFailure } from '../../lib/failures.ts'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { type Category, DEFAULT_CATEGORY } from '../admin/categories.ts'
import { startImport } from '../admin/jobs/api.ts'
import { type Line, showAddResult, skippedUrls } from './add-result.ts'
import { addVideos } from './api.ts'
import { ITEMS_PER_REQUEST, parseUrlLines } from './url-lines.ts'

const EMPTY = { urls: '', artistName: '', genre: '', category: DEFAULT_CATEGORY as Category }

/**
 * The values and results of the form that adds videos by URL, which last while the form is closed, and the request. With
 * `keepsOtherUrls`, as in the control panel, URLs that are not from YouTube are stored unchanged
 * (docs/product/admin.md §5).
 */
export function useAddVideos(keepsOtherUrls: boolean, onResult: (result: AddVideosResult) => void) {
  const [values, setValues] = useState(EMPTY)
  const [lines, setLines] = useState<Line[]>([])
  useLossGuard([values.urls, values.artistName, values.genre].some((text) => text.trim() !== ''))
  const change = (part: Partial<typeof EMPTY>) => setValues((known) => ({ ...known, ...part }))
  const onAdded = (result: AddVideosResult) => {
    setLines(result.lines)
    onResult(result)
  }
  const form = useForm({
    send: async () => {
      const input = parseUrlLines(values.urls)
      if ('problem' in input) {
        toast({ ...input.problem, tone: 'error' })
        return
      }
      const [artistName, genre] = [values.artistName.trim(), values.genre.trim()]
      const facts = { category: values.category, ...(artistName && { artistName }), ...(genre && { genre }) }
      const options = keepsOtherUrls ? { allowUnplayableUrls: true } : {}
      if (input.urls.length > ITEMS_PER_REQUEST) {
        await startImport(
          input.urls.map((url) => ({ url, ...facts })),
          options,
        )
        setLines([])
        change({ urls: '' })
        return
      }
      const result = await addVideos({ urls: input.urls, ...facts, ...options })
      onAdded(result)
      showAddResult(result)
      // Skipped URLs stay in the box, so that they can be corrected.
      change({ urls: skippedUrls(result).join('\n') })
    },
    onFailure: (failure) => {
      const hasReason = failure instanceof ApiError && !failure.isOutage
      showFailure(failure, {
        title: hasReason ? 'Error adding videos' : 'Error processing videos',
        text: 'Please try again.',
      })
    },
  })
  return { values, change, form, lines, onAdded }
}

export type AddVideos = ReturnType<typeof useAddVideos>
