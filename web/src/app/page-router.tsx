import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react'
import { Router } from 'react-router-dom'
import { backLayers } from '../ui/back-layers.ts'
import { PageHistory } from './page-history.ts'

const history = new PageHistory(window, backLayers)

/** Like `BrowserRouter`, with a history in which Back closes open dialogs. */
export function PageRouter({ children }: { children: ReactNode }) {
  const [{ location, type }, setShown] = useState(history.shown)
  useLayoutEffect(() => {
    setShown(history.shown())
    return history.onChange(() => startTransition(() => setShown(history.shown())))
  }, [])
  return (
    <Router location={location} navigationType={type} navigator={history.navigator}>
      {children}
    </Router>
  )
}
