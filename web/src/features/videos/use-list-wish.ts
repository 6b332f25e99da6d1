import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ListWish } from './api.ts'
import { listParameters, listWishOf } from './list-query.ts'

/** Typing is asked for when it rests this long. */
const DEBOUNCE_MS = 300

/**
 * What the list of videos is asked for. It lives in the address, so that it survives a reload and can be passed on;
 * `text` is the search box, which runs ahead of it.
 */
export function useListWish(): {
  wish: ListWish
  text: string
  setText: (text: string) => void
  choose: (change: Partial<ListWish>) => void
  clear: () => void
} {
  const [parameters, setParameters] = useSearchParams()
  const wish = listWishOf(parameters)
  const [text, setText] = useState(wish.q ?? '')
  const choose = (change: Partial<ListWish>) =>
    setParameters(listParameters({ ...wish, ...change }), { replace: true, preventScrollReset: true })

  const commit = useEffectEvent((q: string) => {
    if (q !== (wish.q ?? '')) choose({ q })
  })
  useEffect(() => {
    const timer = setTimeout(() => commit(text.trim()), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])

  return {
    wish,
    text,
    setText,
    choose,
    clear: () => {
      setText('')
      setParameters({}, { replace: true, preventScrollReset: true })
    },
  }
}
