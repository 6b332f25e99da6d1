import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/** An error message with a retry button. */
export function ErrorNotice({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-center gap-4 px-4 py-12 text-center">
      <p className="max-w-md text-muted">{text}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

/** An empty state: what is missing and what to do next. Use `h1` if it is the only content of a page. */
export function EmptyNotice(props: { title: string; heading?: 'p' | 'h1'; children?: ReactNode }) {
  const { title, heading: Heading = 'p', children } = props
  return (
    <div className="grid justify-items-center gap-3 px-4 py-12 text-center">
      <Heading className="text-lg font-semibold">{title}</Heading>
      {children && <div className="grid max-w-md justify-items-center gap-4 text-muted">{children}</div>}
    </div>
  )
}
