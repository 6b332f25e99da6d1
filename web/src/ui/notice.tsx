import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/** A view that cannot be shown, in words, with a way to try again. */
export function ErrorNotice({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-center gap-4 px-4 py-12 text-center">
      <p className="max-w-md text-muted">{text}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

/** An empty view: what it would hold, and what to do next. */
export function EmptyNotice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-12 text-center">
      <p className="text-lg font-semibold">{title}</p>
      {children && <div className="grid max-w-md justify-items-center gap-4 text-muted">{children}</div>}
    </div>
  )
}
