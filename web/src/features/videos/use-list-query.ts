import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ListQuery } from './api.ts'
import { listParameters, readListQuery } from './list-query.ts'

/** Delay after typing before the search is requested, in ms. */
const DEBOUNCE_MS = 300

/** The query of the video list, stored in the URL so that it survives a reload and can be shared. `text` is the search box. */
export function useListQuery(): {
  params: ListQuery
  text: string
  setText: (text: string) => void
  choose: (change: Partial<ListQuery>) => void
  clear: () => void
} {
  const [parameters, setParameters] = useSearchParams()
  const params = readListQuery(parameters)
  const [text, setText] = useState(params.q ?? '')
  const choose = (change: Partial<ListQuery>) =>
    setParameters(listParameters({ ...params, ...change }), { replace: true, preventScrollReset: true })

  const commit = useEffectEvent((q: string) => {
    if (q !== (params.q ?? '')) choose({ q })
  })
  useEffect(() => {
    const timer = setTimeout(() => commit(text.trim()), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])

  return {
    params,
    text,
    setText,
    choose,
    clear: () => {
      setText('')
      setParameters({}, { replace: true, preventScrollReset: true })
    },
  }
}
